"""Comparing what is in a fact's data with what a condition asks for. Never raises, whatever is there."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from tidings.spine.notify.paths import Absent
from tidings.spine.notify.rules.terms import Ordered, Scalar

_LONGEST_SHOWN = 80


def order(value: Any, than: Ordered) -> int | None:
    """1 where the value is greater, -1 where it is less, 0 where neither; None where they cannot be compared."""
    left: Any = number_of(value)
    right: Any = number_of(than)
    if left is None or right is None:
        left, right = moment_of(value), moment_of(than)
    if left is None or right is None:
        return None
    return int(left > right) - int(left < right)


def same(value: Any, wanted: Scalar) -> bool:
    left, right = number_of(value), number_of(wanted)
    if left is not None and right is not None:
        return left == right
    return type(value) is type(wanted) and bool(value == wanted)


def number_of(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return None if number.is_nan() else number


def moment_of(value: Any) -> datetime | None:
    """A time of ISO 8601; one that names no zone is in UTC."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def shown(value: Any) -> str:
    match value:
        case Absent.ABSENT:
            return "missing"
        case list():
            return "a list"
        case dict():
            return "an object"
        case int() if value.bit_length() > 1_000:
            return "a very large number"
    text = json.dumps(value, ensure_ascii=False, default=str) if not isinstance(value, str) else value
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
