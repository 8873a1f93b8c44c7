"""What the codes of a provider mean: each adapter has a table of them, and this says what comes of one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from enum import Enum, auto
from typing import Any, assert_never

from tidings.spine.channels.answers import in_short
from tidings.spine.channels.port import Blame, Deferred, Rejected, Unknown


class Verdict(Enum):
    """What a code of a provider says about a message that it did not take."""

    GONE = auto()  # this address will never work
    REJECTED = auto()  # this message will never be taken
    WAIT = auto()  # later, and everybody has to wait: limits, credentials, the provider's own faults
    WAIT_FOR_ADDRESS = auto()  # later, and only this address is concerned


def outcome_of(verdict: Verdict, reason: str, after: timedelta | None = None) -> Deferred | Rejected:
    match verdict:
        case Verdict.GONE:
            return Rejected(reason, gone=True)
        case Verdict.REJECTED:
            return Rejected(reason)
        case Verdict.WAIT:
            return Deferred(reason, after)
        case Verdict.WAIT_FOR_ADDRESS:
            return Deferred(reason, after, Blame.ADDRESS)
        case _:
            assert_never(verdict)


def of_status(status: int) -> Verdict:
    """What a status says where no code says more. A wrong password or path is the provider's set-up, not the message.

    Redirects are not followed: they too mean that the provider is set up wrongly.
    """
    return Verdict.REJECTED if status in (400, 405, 406, 409, 410, 411, 413, 414, 415, 422) else Verdict.WAIT


def without_receipt(provider: str, status: int) -> Unknown:
    """A success that does not name the message may be anybody's: a proxy's, or one cut off in the middle."""
    return Unknown(f"{provider} answered {status}, but not with the id of the message.")


def object_in(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = values.get(name)
    return value if isinstance(value, dict) else {}


def objects_in(values: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = values.get(name)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def text_in(values: Mapping[str, Any], name: str) -> str | None:
    value = values.get(name)
    return value if isinstance(value, str) and value else None


def number_in(values: Mapping[str, Any], name: str) -> int | None:
    """A code, also where it comes as text."""
    value = values.get(name)
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def reason_of(provider: str, what: str | int, said: str | None) -> str:
    """One line for the record: what the provider said, in its own words."""
    return in_short(f"{provider}: {what}", said or "")
