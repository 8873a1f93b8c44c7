"""How much a rendering may do. Counted, so that the same template and data always end the same way.

A step is one node of the template that is executed: an iteration of a loop costs as many as its body has nodes, a
filter costs by the length of what it is given. No value may grow beyond `size`, so a step's own cost is bounded too.
The deadline stands behind the count, for steps that are slower than we thought.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from tidings.spine.notify.templates.errors import TemplateError

LETTERS = 25  # of a text, to a step: all the texts of a rendering together stay within some ten million
LONGEST_ARGUMENT = 200
HIGHEST = 10**30  # the largest whole number; beyond it arithmetic would no longer be one step
_SIZED = (str, list, tuple, dict, set, frozenset, range)


@dataclass(frozen=True, slots=True)
class Limits:
    """Of a template's source, and of one rendering of it."""

    source: int = 64 * 1024  # characters
    nodes: int = 4_000
    depth: int = 60
    steps: int = 500_000
    size: int = 256 * 1024  # characters of the result, and of every value on the way
    deadline: timedelta = timedelta(seconds=1)


@dataclass(slots=True)
class Budget:
    """What one rendering may still spend."""

    limits: Limits
    clock: Callable[[], float] = time.monotonic
    _left: int = field(init=False)
    _until: float = field(init=False)

    def __post_init__(self) -> None:
        self._left = self.limits.steps
        self._until = self.clock() + self.limits.deadline.total_seconds()

    def spend(self, steps: int) -> None:
        """Never gives anything back, whatever `steps` is."""
        self._left -= abs(steps) or 1
        if self._left < 0:
            raise TemplateError(f"takes more than {self.limits.steps:,} steps")
        if self.clock() > self._until:
            raise TemplateError(f"takes longer than {self.limits.deadline.total_seconds():g} s")

    def spend_on(self, value: Any) -> None:
        """A step over `value`: the longer it is, the more."""
        if isinstance(value, str):
            self.spend(1 + len(value) // LETTERS)
        else:
            self.spend(1 + len(value) if isinstance(value, _SIZED) else 1)

    def short(self, arguments: Iterable[Any]) -> None:
        """Long arguments make long work of short texts: letters to strip, paths to follow."""
        if any(isinstance(each, str) and len(each) > LONGEST_ARGUMENT for each in arguments):
            raise TemplateError(f"has an argument of more than {LONGEST_ARGUMENT} characters")

    def fits(self, size: int) -> None:
        if size > self.limits.size:
            raise TemplateError(f"makes a text of more than {self.limits.size:,} characters")

    def held(self, value: Any) -> Any:
        """`value`, paid for, if it is not too large to go on with."""
        if isinstance(value, _SIZED):
            self.fits(len(value))
            self.spend_on(value)
        elif isinstance(value, int) and abs(value) > HIGHEST:
            raise TemplateError("makes a number of more than 30 digits")
        return value
