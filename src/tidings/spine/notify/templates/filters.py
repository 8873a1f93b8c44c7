"""The filters and tests that templates may use; everything else that Jinja has is left out on purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, update_wrapper
from typing import Any

from jinja2 import Undefined, pass_context
from jinja2.filters import FILTERS
from jinja2.tests import TESTS

from tidings.spine.notify.templates.arithmetic import NUMBERS
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.links import is_link, paragraphs
from tidings.spine.notify.templates.own_filters import OWN
from tidings.spine.notify.templates.sandbox import RunContext, Sandbox
from tidings.spine.notify.templates.woven_filters import WOVEN, counted

# Without those that pad, repeat or format without bounds (center, indent, wordwrap, batch, slice, format), that reach
# for attributes (attr), that undo escaping (safe), or that give another answer each time (random).
_BORROWED = (
    "abs", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "groupby", "int",
    "items", "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "reverse", "select",
    "selectattr", "sort", "title", "trim", "truncate", "unique", "upper", "urlencode", "wordcount",
)  # fmt: skip
_TESTS = (
    "boolean", "defined", "eq", "equalto", "false", "float", "ge", "gt", "greaterthan", "in", "integer",
    "iterable", "le", "lessthan", "lower", "lt", "mapping", "ne", "none", "number", "sequence", "string", "true",
    "undefined", "upper", "==", "!=", "<", "<=", ">", ">=",
)  # fmt: skip
_OF_NUMBERS = ("divisibleby", "even", "odd")
_ANY_LENGTH = frozenset({"default", "d"})
_PLACED = ("date", "time", "datetime", "money", "number")


def equip(environment: Sandbox) -> None:
    """Gives a sandbox our filters and tests in place of Jinja's."""
    own = OWN | ({"paragraphs": paragraphs} if environment.autoescape else {})
    environment.filters = {
        name: _guarded(FILTERS[name], environment, bounded=name not in _ANY_LENGTH) for name in _BORROWED
    }
    environment.filters |= {name: _guarded(func, environment, bounded=False) for name, func in own.items()}
    environment.filters |= {name: _placed(name) for name in _PLACED}
    environment.filters |= WOVEN
    environment.tests = {name: TESTS[name] for name in _TESTS} | {"link": is_link}
    environment.tests |= {name: _of_numbers(name) for name in _OF_NUMBERS}


def _guarded(func: Callable[..., Any], environment: Sandbox, *, bounded: bool = True) -> Callable[..., Any]:
    """The filter, paid for by the length of what it gets, and held to what a value may be."""
    wants = getattr(getattr(func, "jinja_pass_arg", None), "name", None)

    def guarded(context: RunContext, value: Any = None, *args: Any, **kwargs: Any) -> Any:
        context.budget.spend_on(value)
        if bounded:
            context.budget.short((*args, *kwargs.values()))
        given = {"context": context, "eval_context": context.eval_ctx, "environment": environment}
        call = partial(func, given[wants]) if wants else func
        result = call(value, *args, **kwargs)
        if isinstance(result, Iterator):
            result = list(counted(context, result, 1))
        return context.budget.held(result)

    return pass_context(update_wrapper(guarded, func, assigned=("__name__", "__doc__"), updated=()))


def _of_numbers(name: str) -> Callable[..., bool]:
    """These use `%`, which formats where it is given a text."""
    test: Any = TESTS[name]

    def of_numbers(*values: Any) -> bool:
        if not all(isinstance(value, NUMBERS) for value in values):
            raise TemplateError(f"{name} is asked of numbers")
        return bool(test(*values))

    return of_numbers


def _placed(name: str) -> Callable[..., str]:
    def placed(context: RunContext, value: Any, *args: Any, **kwargs: Any) -> str:
        context.budget.spend(20)
        if isinstance(value, Undefined):
            str(value)
        shown: str = getattr(context.place, name)(value, *args, **kwargs)
        return shown

    return pass_context(placed)
