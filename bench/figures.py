"""What a bar found: figures, what was not run, and claims that hold or do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeAlias


@dataclass(frozen=True)
class Figure:
    """One thing measured several times; the median counts."""

    name: str
    samples: Sequence[float]
    unit: str = "/s"
    note: str = ""

    @property
    def median(self) -> float:
        return median(self.samples)


@dataclass(frozen=True)
class NotRun:
    """Something that belongs into the table and could not be measured here."""

    name: str
    reason: str


Row: TypeAlias = Figure | NotRun


@dataclass(frozen=True)
class Claim:
    """A bar: `value` against `limit`. Without a value, what it is about was not run."""

    text: str
    value: float | None
    limit: float
    unit: str = ""
    at_least: bool = True

    @property
    def met(self) -> bool | None:
        if self.value is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit


@dataclass(frozen=True)
class Result:
    """A bar that ran: how it was measured, what was found, and what is claimed."""

    how: Sequence[str]
    rows: Sequence[Row]
    claims: Sequence[Claim]

    @property
    def met(self) -> bool:
        return all(claim.met is not False for claim in self.claims)


def share(ours: Row, theirs: Row) -> float | None:
    """Ours in percent of theirs; nothing where one of them was not run."""
    ratio = times(ours, theirs)
    return None if ratio is None else ratio * 100


def times(ours: Row, theirs: Row) -> float | None:
    """How many times theirs ours is; nothing where one of them was not run."""
    if isinstance(ours, NotRun) or isinstance(theirs, NotRun):
        return None
    return ours.median / theirs.median
