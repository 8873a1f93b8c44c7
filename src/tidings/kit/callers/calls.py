"""One call of an SQL function, in each style of parameters that drivers have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Call:
    """A function with named arguments, each with the casts that it passes through.

    Arguments travel as text, and so does the result: a connection may have codecs of its own for every other type.
    """

    function: str
    arguments: tuple[tuple[str, str], ...]
    result: str
    document: str = "data"  # the argument that carries JSON

    @cached_property
    def numbered(self) -> str:
        """With `$1`, `$2`, …"""
        return self._sql(f"${number}" for number in range(1, len(self.arguments) + 1))

    @cached_property
    def formatted(self) -> str:
        """With `%s`."""
        return self._sql("%s" for _ in self.arguments)

    def _sql(self, places: Iterable[str]) -> str:
        passed = ", ".join(
            f"{name} => {place}::{cast}" for place, (name, cast) in zip(places, self.arguments, strict=True)
        )
        return f"SELECT {self.function}({passed})::{self.result}"
