"""The conditions that there are: a closed union."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None
Ordered: TypeAlias = str | int | float


@dataclass(frozen=True, slots=True)
class Equals:
    field: str
    value: Scalar


@dataclass(frozen=True, slots=True)
class NotEquals:
    field: str
    value: Scalar


@dataclass(frozen=True, slots=True)
class In:
    field: str
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Exists:
    """There, and not null; or, with `wanted` false, missing or null."""

    field: str
    wanted: bool


@dataclass(frozen=True, slots=True)
class Greater:
    field: str
    than: Ordered


@dataclass(frozen=True, slots=True)
class Less:
    field: str
    than: Ordered


@dataclass(frozen=True, slots=True)
class All:
    of: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Any_:  # noqa: N801 - the other name is taken
    of: tuple[Condition, ...]


Condition: TypeAlias = Equals | NotEquals | In | Exists | Greater | Less | All | Any_
