"""What Resend tells of mails: delivered, bounced, complained of. That one was opened or clicked is not asked for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.spine.channels.resend import ResendConfig
from tidings.spine.delivery.receipts.events import Confirmed, Event, in_words, is_receipt
from tidings.spine.delivery.receipts.reading import each, json_object, uuid, within
from tidings.spine.delivery.receipts.verifying import Posted, signed_as_standard

_PERMANENT = "permanent"


def is_genuine(config: ResendConfig, posted: Posted, now: datetime) -> bool:
    return config.webhook_secret is not None and signed_as_standard(posted, config.webhook_secret, now)


def events_of(posted: Posted) -> list[Event]:
    told = json_object(posted.body)
    data = within(told, "data")
    judged = _judged(told.get("type"), data)
    if judged is None or not is_receipt(data.get("email_id")):
        return []
    return [Event(data["email_id"], *judged, delivery=_delivery(data))]


def _judged(type: object, data: Mapping[str, Any]) -> tuple[Confirmed, str | None] | None:
    match type:
        case "email.delivered":
            return Confirmed.DELIVERED, None
        case "email.bounced":
            return _bounce(within(data, "bounce"))
        case "email.complained":
            return Confirmed.COMPLAINED, "the person called it spam"
        case "email.failed":
            return Confirmed.FAILED, in_words(within(data, "failed").get("reason"))
        case "email.suppressed":
            return Confirmed.FAILED, in_words(
                "on Resend's suppression list:", within(data, "suppressed").get("message")
            )
        case _:
            return None


def _bounce(bounce: Mapping[str, Any]) -> tuple[Confirmed, str | None]:
    """A mailbox that is full or away may be there tomorrow: only what is permanent speaks against the address."""
    kind = bounce.get("type")
    for_good = isinstance(kind, str) and kind.lower() == _PERMANENT
    said = in_words(kind, bounce.get("subType"), bounce.get("message"))
    return (Confirmed.BOUNCED if for_good else Confirmed.FAILED), said


def _delivery(data: Mapping[str, Any]) -> UUID | None:
    """Our own id, which the mail carried as a tag. Resend has given tags both as an object and as a list."""
    tags = within(data, "tags")
    named = (tag.get("value") for tag in each(data, "tags") if tag.get("name") == "delivery")
    return uuid(tags.get("delivery") or next(named, None))
