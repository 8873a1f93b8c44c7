"""What Twilio tells of messages, by its status callback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from urllib.parse import parse_qs, urldefrag

from tidings.spine.channels.twilio import TwilioConfig
from tidings.spine.channels.twilio_codes import CODES
from tidings.spine.channels.verdicts import Verdict
from tidings.spine.delivery.receipts.events import Confirmed, Event, in_words, is_receipt
from tidings.spine.delivery.receipts.verifying import Posted, signed_by_url

_MOST_FIELDS = 200


def is_genuine(config: TwilioConfig, posted: Posted, now: datetime) -> bool:
    """By the address that Twilio was told to call: ours, or the one that is set for this provider."""
    fields, signature = _fields(posted), posted.headers.get("x-twilio-signature", "")
    called = {posted.url, urldefrag(config.status_callback or posted.url).url}
    return any(signed_by_url(replace(posted, url=url), fields, config.auth_token, signature) for url in called)


def events_of(posted: Posted) -> list[Event]:
    fields = {name: values[0] for name, values in _fields(posted).items()}
    receipt, confirmed = fields.get("MessageSid") or fields.get("SmsSid"), _confirmed(fields)
    if receipt is None or confirmed is None or not is_receipt(receipt):
        return []
    return [Event(receipt, confirmed, _reason(fields))]


def _confirmed(fields: Mapping[str, str]) -> Confirmed | None:
    """None for what is on its way: accepted, queued, sending, sent."""
    match fields.get("MessageStatus") or fields.get("SmsStatus"):
        case "delivered":
            return Confirmed.DELIVERED
        case "read":
            return Confirmed.READ
        case "undelivered" | "failed":
            return Confirmed.BOUNCED if _verdict(fields) is Verdict.GONE else Confirmed.FAILED
        case _:
            return None


def _verdict(fields: Mapping[str, str]) -> Verdict | None:
    code = fields.get("ErrorCode", "")
    return CODES.get(int(code)) if code.isascii() and code.isdigit() and len(code) <= 9 else None


def _reason(fields: Mapping[str, str]) -> str | None:
    code = fields.get("ErrorCode")
    return in_words("error", code, fields.get("ErrorMessage")) if code else None


def _fields(posted: Posted) -> dict[str, list[str]]:
    try:
        text = posted.body.decode("utf-8", "replace")
        return parse_qs(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        return {}
