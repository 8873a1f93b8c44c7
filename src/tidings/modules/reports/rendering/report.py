"""What a report says, before it is a file of any format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo


@dataclass(frozen=True)
class Report:
    """`title` is what its owner calls it, `name` what it is. It is of the time from `since` to `until`, by the clock of
    `timezone`."""

    title: str
    name: str
    since: datetime
    until: datetime
    timezone: str
    figures: Sequence[tuple[str, Any]]
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    @property
    def period(self) -> str:
        since, until = (f"{self.local(each):%Y-%m-%d %H:%M}" for each in (self.since, self.until))
        return f"{since} to {until} ({self.timezone})"

    @property
    def numeric(self) -> Sequence[bool]:
        """Of each column, whether there are numbers in it and nothing else."""
        found = [[row[at] for row in self.rows if row[at] is not None] for at in range(len(self.columns))]
        return [bool(values) and all(is_number(value) for value in values) for values in found]

    def local(self, at: datetime) -> datetime:
        return at if at.tzinfo is None else at.astimezone(ZoneInfo(self.timezone))

    def shown(self, value: Any) -> str:
        """For people to read."""
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if is_number(value):
            return f"{value:,}"
        if isinstance(value, datetime):
            return f"{self.local(value):%Y-%m-%d %H:%M}"
        return str(value)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def heading(column: str) -> str:
    """The name of a column, for people to read."""
    words = column.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
