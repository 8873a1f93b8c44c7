"""Where in a fact's data something is: names with dots between them, numbers for the places of a list."""

from __future__ import annotations

from enum import Enum
from typing import Any

from tidings.spine.notify.checking import line_fault

LONGEST = 200
DEEPEST = 20


class Absent(Enum):
    """Nothing is there; not even null."""

    ABSENT = "absent"


def path_fault(value: Any) -> str | None:
    if fault := line_fault(value, LONGEST):
        return fault
    steps = value.split(".")
    if not all(steps) or len(steps) > DEEPEST:
        return f"must be names with a dot between them, such as order.total, {DEEPEST} at most"
    return None


def found(data: Any, path: str) -> Any:
    """What is there, or `Absent.ABSENT`."""
    for step in path.split("."):
        match data:
            case dict() if step in data:
                data = data[step]
            case list() if step.isascii() and step.isdigit() and len(step) < 10 and int(step) < len(data):
                data = data[int(step)]
            case _:
                return Absent.ABSENT
    return data
