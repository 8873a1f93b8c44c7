"""What Meta tells of WhatsApp messages, and its question whether this address is ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from tidings.spine.channels.meta import MetaConfig
from tidings.spine.channels.meta_codes import CODES
from tidings.spine.channels.verdicts import Verdict
from tidings.spine.delivery.receipts.events import Confirmed, Event, in_words, is_receipt
from tidings.spine.delivery.receipts.reading import each, json_object, moment, within
from tidings.spine.delivery.receipts.verifying import Posted, same, signed_by_body

_CHALLENGE = re.compile(r"[A-Za-z0-9._-]{1,200}")
_MOST = 1_000  # statuses in one request


def is_genuine(config: MetaConfig, posted: Posted, now: datetime) -> bool:
    signature = posted.headers.get("x-hub-signature-256", "")
    return config.app_secret is not None and signed_by_body(posted, config.app_secret, signature)


def answer_to(config: MetaConfig, mode: str, token: str, challenge: str) -> str | None:
    """The challenge, for whoever knows the token that is set for this; None for others."""
    if config.verify_token is None or not same(token, config.verify_token.get_secret_value()):
        return None
    return challenge if mode == "subscribe" and _CHALLENGE.fullmatch(challenge) else None


def events_of(posted: Posted) -> list[Event]:
    found: list[Event] = []
    for status in _statuses(json_object(posted.body)):
        confirmed = _confirmed(status)
        if confirmed is not None and is_receipt(status.get("id")) and len(found) < _MOST:
            found.append(Event(status["id"], confirmed, _reason(status), at=moment(status.get("timestamp"))))
    return found


def _statuses(told: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for entry in each(told, "entry"):
        for change in each(entry, "changes"):
            yield from each(within(change, "value"), "statuses")


def _confirmed(status: Mapping[str, Any]) -> Confirmed | None:
    match status.get("status"):
        case "delivered":
            return Confirmed.DELIVERED
        case "read":
            return Confirmed.READ
        case "failed":
            gone = any(_verdict(error) is Verdict.GONE for error in each(status, "errors"))
            return Confirmed.BOUNCED if gone else Confirmed.FAILED
        case _:
            return None


def _verdict(error: Mapping[str, Any]) -> Verdict | None:
    code = error.get("code")
    return CODES.get(code) if isinstance(code, int) else None


def _reason(status: Mapping[str, Any]) -> str | None:
    error = next(each(status, "errors"), {})
    said = within(error, "error_data").get("details") or error.get("message") or error.get("title")
    return in_words(error.get("code"), said)
