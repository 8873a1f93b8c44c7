"""What signs between values do: numbers with numbers, texts put together; nothing that makes much of little."""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NoReturn

from tidings.spine.notify.templates.budget import Budget
from tidings.spine.notify.templates.errors import TemplateError

NUMBERS = (int, float, Decimal)
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "-": operator.sub,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}


def calculated(budget: Budget, sign: str, left: Any, right: Any) -> Any:
    match sign:
        case "+" if isinstance(left, str) and isinstance(right, str):
            budget.fits(len(left) + len(right))
            return left + right
        case "*" if isinstance(left, str) and isinstance(right, int):
            budget.fits(len(left) * right)
            return left * right
    if not isinstance(left, NUMBERS) or not isinstance(right, NUMBERS):
        _refused(sign)
    budget.held(left)
    budget.held(right)
    match sign:
        case "+":
            return left + right  # type: ignore[operator]
        case "*":
            return left * right  # type: ignore[operator]
    return _OPERATORS[sign](left, right)


def _refused(sign: str) -> NoReturn:
    raise TemplateError(f"{sign} works on numbers" + (" and on texts" if sign in "+*" else ""))
