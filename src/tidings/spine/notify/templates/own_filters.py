"""Filters in place of Jinja's own, which would do their work before anybody could count it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from jinja2 import pass_context
from jinja2.filters import FILTERS
from markupsafe import Markup, escape

from tidings.spine.notify.templates.arithmetic import NUMBERS
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.printing import text_of
from tidings.spine.notify.templates.sandbox import RunContext
from tidings.spine.notify.templates.woven_filters import counted, joined


@pass_context
def _join(context: RunContext, values: Iterable[Any], separator: Any = "", attribute: str | int | None = None) -> str:
    if attribute is not None:
        values = [context.environment.getitem(value, attribute) for value in values]
    pieces: list[Any] = []
    size = 0
    for value in counted(context, values, 1):
        piece = text_of(value)
        pieces += [separator, piece] if pieces else [piece]
        size += len(piece) + len(text_of(separator))
        context.budget.fits(size)
    return joined(context, pieces)


@pass_context
def _replace(context: RunContext, text: Any, old: str, new: str, count: int = -1) -> str:
    whole, old, new = text_of(text), str(old), text_of(new)
    if isinstance(whole, Markup):
        new = escape(new)
    context.budget.fits(len(whole) + (whole.count(old) + 1) * len(new))
    return whole.replace(old, new, count)


def _round(value: Any, precision: int = 0, method: str = "common") -> Any:
    if not isinstance(value, NUMBERS):
        raise TemplateError("round needs a number")
    if not isinstance(precision, int) or not 0 <= precision <= 15:
        raise TemplateError("round takes from 0 to 15 digits")
    return FILTERS["round"](value, precision, method)


@pass_context
def _sum(context: RunContext, values: Iterable[Any], attribute: str | int | None = None, start: Any = 0) -> Any:
    total = start
    for value in counted(context, values, 1):
        number = value if attribute is None else context.environment.getitem(value, attribute)
        total = context.environment.call_binop(context, "+", total, number)  # type: ignore[attr-defined]
    return total


@pass_context
def _tojson(context: RunContext, value: Any) -> str:
    """JSON that may also stand between tags."""
    text = json.dumps(value, ensure_ascii=False, default=text_of)
    for sign in "<>&'":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text) if context.eval_ctx.autoescape else text  # noqa: S704 - nothing in it that HTML would read


OWN: dict[str, Callable[..., Any]] = {
    "join": _join,
    "replace": _replace,
    "round": _round,
    "string": text_of,
    "sum": _sum,
    "tojson": _tojson,
}
