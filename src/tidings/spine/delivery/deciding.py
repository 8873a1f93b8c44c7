"""What happens next, from what came of a send: a plain function, with a table of cases."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias, assert_never

from tidings.spine.channels.port import Deferred, Outcome, Rejected, Sent, Unknown


class OnUnknown(StrEnum):
    """What to do about a send that may have worked."""

    RESEND = "resend"  # under the same key: the provider deduplicates, or a duplicate does no harm
    HOLD = "hold"  # for a person to decide


@dataclass(frozen=True, slots=True)
class Finish:
    """It was sent."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """It failed for good."""

    reason: str


@dataclass(frozen=True, slots=True)
class TryAgain:
    """Later: after so long, or by the backoff where nobody said how long. Fails with its last attempt."""

    reason: str
    after: timedelta | None


@dataclass(frozen=True, slots=True)
class Hold:
    """A person has to say whether it is sent again."""

    reason: str


Decision: TypeAlias = Finish | GiveUp | TryAgain | Hold


def decide(outcome: Outcome, on_unknown: OnUnknown) -> Decision:
    match outcome:
        case Sent():
            return Finish()
        case Rejected(reason=reason):
            return GiveUp(reason)
        case Deferred(reason=reason, after=after):
            return TryAgain(reason, after)
        case Unknown(reason=reason) if on_unknown is OnUnknown.RESEND:
            return TryAgain(reason, None)
        case Unknown(reason=reason):
            return Hold(reason)
        case _:
            assert_never(outcome)
