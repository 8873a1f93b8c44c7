"""Conditions on a fact's data. Deciding never fails: whatever is in the data, a condition is met or it is not.

A field that is missing, or of another kind than what it is compared with, does not meet a condition; but for
`notEquals`, which it meets. Numbers compare by value (1 is 1.0), times as moments, and true is not 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from tidings.spine.notify.paths import Absent, found
from tidings.spine.notify.rules.comparing import order, same, shown
from tidings.spine.notify.rules.reading import parse
from tidings.spine.notify.rules.terms import (
    All,
    Any_,
    Condition,
    Equals,
    Exists,
    Greater,
    In,
    Less,
    NotEquals,
    Ordered,
)

__all__ = ["Condition", "parse", "unmet"]


def unmet(condition: Condition, data: Any) -> str | None:
    """None where the condition is met; else, in words, which one is not, and why."""
    match condition:
        case All(of):
            return next(_unmet_of(of, data), None)
        case Any_(of):
            reasons = list(_unmet_of(of, data))
            return None if len(reasons) < len(of) else f"none of these: {'; '.join(reasons)}"
        case _:
            return _unmet_of_field(condition, found(data, condition.field))


def _unmet_of(conditions: tuple[Condition, ...], data: Any) -> Iterator[str]:
    return (reason for each in conditions if (reason := unmet(each, data)) is not None)


def _unmet_of_field(condition: Equals | NotEquals | In | Exists | Greater | Less, value: Any) -> str | None:
    said = f"{condition.field} is {shown(value)}"
    match condition:
        case Equals(_, wanted):
            return None if same(value, wanted) else f"{said}, not {shown(wanted)}"
        case NotEquals(_, unwanted):
            return f"{said}, which is ruled out" if same(value, unwanted) else None
        case In(_, values):
            listed = ", ".join(map(shown, values[:10])) + (", …" if len(values) > 10 else "")
            return None if any(same(value, each) for each in values) else f"{said}, not one of {listed}"
        case Exists(_, wanted_there):
            there = value is not Absent.ABSENT and value is not None
            return None if there == wanted_there else said + ("" if wanted_there else ", and should be missing")
        case Greater(_, than):
            return _unmet_order(said, "greater", order(value, than), 1, than)
        case Less(_, than):
            return _unmet_order(said, "less", order(value, than), -1, than)
        case _:
            assert_never(condition)


def _unmet_order(said: str, word: str, order: int | None, wanted: int, than: Ordered) -> str | None:
    if order == wanted:
        return None
    if order is None:
        return f"{said}, which cannot be compared with {shown(than)}"
    return f"{said}, not {word} than {shown(than)}"
