"""The filters and tests that templates may use; everything else that Jinja has is left out on purpose."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, update_wrapper
from itertools import chain as chained
from types import GeneratorType
from typing import Any

from jinja2 import Undefined, pass_context
from jinja2.filters import FILTERS
from jinja2.tests import TESTS
from markupsafe import Markup, escape

from tidings.spine.notify.templates.budget import LETTERS
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.language import COUNTED, FLAT, JOINED, WEIGHED
from tidings.spine.notify.templates.links import is_link, paragraphs
from tidings.spine.notify.templates.sandbox import RunContext, Sandbox, is_scalar, text_of

# Without those that pad, repeat or format without bounds (center, indent, wordwrap, batch, slice, format), that reach
# for attributes (attr), that undo escaping (safe), or that give another answer each time (random).
_BORROWED = [
    "abs",
    "capitalize",
    "count",
    "d",
    "default",
    "dictsort",
    "e",
    "escape",
    "first",
    "float",
    "groupby",
    "int",
    "items",
    "last",
    "length",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "reject",
    "rejectattr",
    "reverse",
    "select",
    "selectattr",
    "sort",
    "title",
    "trim",
    "truncate",
    "unique",
    "upper",
    "urlencode",
    "wordcount",
]
_TESTS = [
    "boolean",
    "defined",
    "divisibleby",
    "eq",
    "equalto",
    "even",
    "false",
    "float",
    "ge",
    "gt",
    "greaterthan",
    "in",
    "integer",
    "iterable",
    "le",
    "lessthan",
    "lower",
    "lt",
    "mapping",
    "ne",
    "none",
    "number",
    "odd",
    "sequence",
    "string",
    "true",
    "undefined",
    "upper",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
]
_PLACED = ("date", "time", "datetime", "money", "number")


def equip(environment: Sandbox) -> None:
    """Gives a sandbox our filters and tests in place of Jinja's."""
    own: dict[str, Callable[..., Any]] = {
        "join": _join, "replace": _replace, "round": _round, "string": text_of, "sum": _sum, "tojson": _tojson,
    }  # fmt: skip
    if environment.autoescape:
        own["paragraphs"] = paragraphs
    environment.filters = {name: _guarded(FILTERS[name], environment) for name in _BORROWED}
    environment.filters |= {name: _guarded(func, environment) for name, func in own.items()}
    environment.filters |= {name: _placed(name) for name in _PLACED}
    environment.filters |= {COUNTED: _counted, JOINED: _joined, FLAT: _flat, WEIGHED: _weighed}
    environment.tests = {name: TESTS[name] for name in _TESTS} | {"link": is_link}


def _guarded(func: Callable[..., Any], environment: Sandbox) -> Callable[..., Any]:
    """The filter, paid for by the length of what it gets, and held to what a value may be."""
    wants = getattr(getattr(func, "jinja_pass_arg", None), "name", None)

    def guarded(context: RunContext, value: Any = None, *args: Any, **kwargs: Any) -> Any:
        context.budget.spend_on(value)
        given = {"context": context, "eval_context": context.eval_ctx, "environment": environment}
        call = partial(func, given[wants]) if wants else func
        result = call(value, *args, **kwargs)
        if isinstance(result, GeneratorType | Iterator):
            result = list(_counted(context, result, 1))
        return context.budget.held(result)

    return pass_context(update_wrapper(guarded, func, assigned=("__name__", "__doc__"), updated=()))


def _placed(name: str) -> Callable[..., str]:
    def placed(context: RunContext, value: Any, *args: Any, **kwargs: Any) -> str:
        context.budget.spend(20)
        if isinstance(value, Undefined):
            str(value)
        shown: str = getattr(context.place, name)(value, *args, **kwargs)
        return shown

    return pass_context(placed)


@pass_context
def _counted(context: RunContext, values: Iterable[Any], steps: int) -> Iterator[Any]:
    """What a loop goes over, each item paid for before the loop sees it."""
    if isinstance(values, str | bytes):
        raise TemplateError("a loop goes over a list, not over the letters of a text")
    spend = context.budget.spend
    for value in values:
        spend(steps)
        yield value


@pass_context
def _joined(context: RunContext, values: Iterable[Any]) -> str:
    """`a ~ b`: as Jinja does it, escaping the others where one of them is markup."""
    texts = [text_of(value) for value in values]
    if any(isinstance(text, Markup) for text in texts):
        texts = [escape(text) for text in texts]
    context.budget.fits(sum(map(len, texts)))
    context.budget.spend(1 + sum(map(len, texts)) // LETTERS)
    whole = "".join(texts)
    return Markup(whole) if texts and isinstance(texts[0], Markup) else whole  # noqa: S704 - of escaped parts


@pass_context
def _flat(context: RunContext, values: Any) -> Any:
    """A list or object of a template's own holds single values: of lists of lists, a short text makes billions."""
    inner = chained(values.keys(), values.values()) if isinstance(values, Mapping) else values
    context.budget.spend_on(values)
    if not all(is_scalar(value) for value in inner):
        raise TemplateError("a list in a template holds texts and numbers, not other lists or objects")
    return values


@pass_context
def _weighed(context: RunContext, value: Any) -> Any:
    context.budget.spend_on(value)
    return value


@pass_context
def _join(context: RunContext, values: Iterable[Any], separator: Any = "", attribute: str | int | None = None) -> str:
    if attribute is not None:
        values = [context.environment.getitem(value, attribute) for value in values]
    pieces: list[Any] = []
    size = 0
    for value in _counted(context, values, 1):
        piece = text_of(value)
        pieces += [separator, piece] if pieces else [piece]
        size += len(piece) + len(text_of(separator))
        context.budget.fits(size)
    return _joined(context, pieces)


@pass_context
def _replace(context: RunContext, text: Any, old: str, new: str, count: int = -1) -> str:
    whole, old, new = text_of(text), str(old), text_of(new)
    if isinstance(whole, Markup):
        new = escape(new)
    context.budget.fits(len(whole) + (whole.count(old) + 1) * len(new))
    return whole.replace(old, new, count)


def _round(value: Any, precision: int = 0, method: str = "common") -> Any:
    if not isinstance(precision, int) or not 0 <= precision <= 15:
        raise TemplateError("round takes from 0 to 15 digits")
    return FILTERS["round"](value, precision, method)


@pass_context
def _sum(context: RunContext, values: Iterable[Any], attribute: str | int | None = None, start: Any = 0) -> Any:
    total = start
    for value in _counted(context, values, 1):
        number = value if attribute is None else context.environment.getitem(value, attribute)
        total = context.environment.call_binop(context, "+", total, number)  # type: ignore[attr-defined]
    return total


def _tojson(value: Any) -> Markup:
    """JSON that may also stand between tags."""
    text = json.dumps(value, ensure_ascii=False, default=text_of)
    for sign in "<>&'":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - nothing in it that HTML would read
