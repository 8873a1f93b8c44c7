"""What came of a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Counts: TypeAlias = Mapping[str, int]
"""What was counted, by what it is."""

Parts: TypeAlias = Mapping[str, Counts]
"""The same for each of several faults that were tried side by side, by the name of each."""


def rows(name: str, came: Counts | Parts) -> list[tuple[str, str]]:
    """Lines for people: one, or one for each part."""
    whole = {what: count for what, count in came.items() if isinstance(count, int)}
    parts = {what: counts for what, counts in came.items() if not isinstance(counts, int)}
    lines = [(name, _line(whole))] if whole else []
    return lines + [(f"{name}: {part}", _line(counts)) for part, counts in parts.items()]


def _line(counts: Counts) -> str:
    return ", ".join(f"{what} {count:,}" for what, count in counts.items())
