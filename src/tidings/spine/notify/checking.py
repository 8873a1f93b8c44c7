"""Reading what somebody wrote as JSON: everything that is wrong with it is told at once, by the path of the field."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from tidings.kit.errors import Fault, ValidationFailed

MOST_FAULTS = 20
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class Findings:
    """What was found wrong so far."""

    faults: list[Fault] = field(default_factory=list)

    def add(self, path: str, message: str) -> None:
        self.faults.append(Fault(path[:300], message))

    def settle(self) -> None:
        """Raises `ValidationFailed` if anything was found."""
        if self.faults:
            told = tuple(self.faults[:MOST_FAULTS])
            raise ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in told), told)

    def only(self, raw: dict[str, Any], known: Collection[str], path: str) -> None:
        """A name that is misspelt would be a wish that nobody hears."""
        for name in raw:
            if name not in known:
                self.add(below(path, str(name)[:100]), "is not known here")

    def line(self, value: Any, path: str, longest: int) -> str:
        """A short text on one line, without control characters; or '' where it is none."""
        if fault := line_fault(value, longest):
            self.add(path, fault)
            return ""
        return str(value)


def below(path: str, name: str | int) -> str:
    return f"{path}.{name}" if path else str(name)


def line_fault(value: Any, longest: int) -> str | None:
    if not isinstance(value, str) or not 1 <= len(value) <= longest:
        return f"must be a text of 1 to {longest} characters"
    if _CONTROL.search(value):
        return "must not hold control characters"
    return None if encodable(value) else "must be a text of whole characters"


def encodable(text: str) -> bool:
    """Whether UTF-8, and so PostgreSQL, has bytes for all of it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
