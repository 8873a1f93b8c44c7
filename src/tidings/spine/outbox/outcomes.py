"""What a handler's run came to. A closed union, matched exhaustively."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Succeeded:
    """Done; the intent is finished. A `note`, here and below, is what a table keeps of it beside that."""

    note: Any = None


@dataclass(frozen=True, slots=True)
class Failed:
    """Costs an attempt and is tried again after `delay`, or by the kind's own backoff where none is given.

    Dead with its last attempt, unless it is `held` for a person to decide.
    """

    error: str
    delay: timedelta | None = None
    note: Any = None
    held: bool = False


@dataclass(frozen=True, slots=True)
class Dead:
    """Will never succeed: straight to the dead letters."""

    error: str
    note: Any = None


@dataclass(frozen=True, slots=True)
class Again:
    """Done for this time; the same intent comes back at `at`. For what recurs."""

    at: datetime

    def __post_init__(self) -> None:
        if not isinstance(self.at, datetime) or self.at.tzinfo is None:
            raise ValueError("Again needs a time with a timezone, such as datetime.now(UTC) + timedelta(hours=1)")


@dataclass(frozen=True, slots=True)
class GivenBack:
    """Not done and nobody's fault (shutdown, database away): costs nothing, may be leased again after `delay`."""

    delay: timedelta = timedelta(0)
    note: Any = None


Outcome: TypeAlias = Succeeded | Failed | Dead | Again | GivenBack


@dataclass(frozen=True, slots=True)
class Each:
    """From a handler of ours that takes a batch: one outcome for each, in their order."""

    outcomes: Sequence[Outcome]


class Permanent(Exception):
    """Raise it from a handler: this will never succeed, do not try again."""


class RetryLater(Exception):
    """Raise it from a handler: try again, but not before `delay` has passed."""

    def __init__(self, reason: str, delay: timedelta) -> None:
        if not isinstance(delay, timedelta):
            raise TypeError("RetryLater needs a timedelta, such as timedelta(minutes=5)")
        super().__init__(reason)
        self.delay = delay


def outcome_of(error: BaseException) -> Failed | Dead:
    """What an exception that left a handler means for its intent."""
    match error:
        case Permanent():
            return Dead(describe(error))
        case RetryLater():
            return Failed(describe(error), error.delay)
        case _:
            return Failed(describe(error))


def describe(error: BaseException, limit: int = 2000) -> str:
    """An error in one line a person can read; never empty, and safe to store."""
    name = type(error).__name__
    text = f"{name}: {error}" if str(error) else name
    return text.replace("\x00", "�").encode("utf-8", "replace").decode()[:limit]
