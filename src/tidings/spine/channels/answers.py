"""What an answer over HTTP means, as far as providers agree on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import orjson

from tidings.spine.channels.port import Answer, Blame, Deferred, Rejected, Unknown

_LONGEST_WAIT = timedelta(hours=1)  # a longer one is a mistake or a trick; the circuit looks after real outages
_LONGEST_REASON = 300
_SECONDS = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")
_TRY_AGAIN = frozenset({408, 425, 429})
_CREDENTIALS = frozenset({401, 403})
_Result = TypeVar("_Result")


def retry_after(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """How long the server asks to wait: seconds or a date, an hour at most. None: it does not say, or not sensibly."""
    said = headers.get("retry-after", "").strip()
    wait = timedelta(seconds=float(said)) if _SECONDS.fullmatch(said) else _until(said, now)
    return None if wait is None or wait < timedelta(0) else min(wait, _LONGEST_WAIT)


def _until(said: str, now: datetime) -> timedelta | None:
    try:
        date = parsedate_to_datetime(said)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)) - now
    except (ValueError, OverflowError):
        return None


def outcome_of_status(
    answer: Answer, now: datetime, *, blame: Blame = Blame.PROVIDER, said: str = ""
) -> Deferred | Rejected | None:
    """What a status means where the provider has no meaning of its own for it. None: taken (2xx).

    `said` is the provider's own word for what is wrong. Refused credentials are the provider's business, and may be
    put right: what is waiting goes out then.
    """
    status = answer.status
    if 200 <= status < 300:
        return None
    reason = in_short(f"answered {status}", said)
    if status in _TRY_AGAIN or status >= 500:
        return Deferred(reason, after=retry_after(answer.headers, now), blame=blame)
    if status in _CREDENTIALS:
        return Deferred(in_short(f"credentials refused ({status})", said), blame=blame)
    if 300 <= status < 400:
        return Rejected(f"{reason}; redirects are not followed")
    return Rejected(reason)


def in_short(reason: str, said: str = "") -> str:
    """A reason with the provider's own words, printable and not too long to keep."""
    words = "".join(char if char.isprintable() else " " for char in said[: _LONGEST_REASON * 2])
    return f"{reason}: {' '.join(words.split())}"[:_LONGEST_REASON] if words.strip() else reason[:_LONGEST_REASON]


def json_object(answer: Answer) -> dict[str, Any]:
    """The body as a JSON object; an empty one where it is none, or was cut off."""
    try:
        found = orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def blaming_the_address(outcome: _Result) -> _Result | Deferred | Unknown:
    """The same outcome; one that is deferred, or has no answer, is on account of this address alone."""
    return replace(outcome, blame=Blame.ADDRESS) if isinstance(outcome, Deferred | Unknown) else outcome
