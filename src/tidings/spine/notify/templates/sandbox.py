"""Jinja's sandbox, narrowed: values are plain JSON, and nothing of Python shows through them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import BuiltinMethodType, MethodType
from typing import Any

from jinja2 import StrictUndefined, Undefined, pass_context
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from tidings.spine.notify.templates.arithmetic import calculated
from tidings.spine.notify.templates.budget import Budget, Limits
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.language import METHODS
from tidings.spine.notify.templates.places import Place
from tidings.spine.notify.templates.printing import text_of

_LONGEST_RANGE = 10_000
_INDEXED = (Mapping, list, tuple, str, range)
_LOOP = METHODS["loop"] | {
    "index", "index0", "revindex", "revindex0", "first", "last", "length", "previtem", "nextitem",
}  # fmt: skip
_ADDED = frozenset({"_loop_vars", "_block_vars"})  # by Jinja, for functions that ask for the context


class RunContext(Context):
    """A template's names, with what this rendering may spend and where its reader is."""

    budget: Budget
    place: Place


class Sandbox(ImmutableSandboxedEnvironment):
    """Every operation that can make something large asks the rendering's budget first."""

    context_class = RunContext
    intercepted_binops = frozenset({"+", "-", "*", "/", "//", "%", "**"})

    def __init__(self, limits: Limits, *, markup: bool) -> None:
        # Not optimised: Jinja would run filters on constants while it compiles, where nothing is counted.
        super().__init__(
            undefined=StrictUndefined, autoescape=markup, optimized=False, finalize=shown, keep_trailing_newline=False
        )
        self.limits = limits
        self.globals = {"range": _range, "namespace": Namespace}

    def concat(self, pieces: Iterable[str]) -> str:
        """What a block of the template came to, in one piece."""
        pieces = list(pieces)
        if sum(map(len, pieces)) > self.limits.size:
            raise TemplateError(f"makes a text of more than {self.limits.size:,} characters")
        return "".join(pieces)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        assert isinstance(context, RunContext)
        _defined(left)
        _defined(right)
        return context.budget.held(calculated(context.budget, operator, left, right))

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A key of a mapping, before any method of that name: `order.items` is the order's items.

        What is under something missing is missing too, so that `a.b.c | default(…)` works whichever is not there.
        """
        if isinstance(obj, Undefined):
            return obj
        if isinstance(obj, Mapping) and attribute in obj:
            return obj[attribute]
        if isinstance(obj, Namespace) and not attribute.startswith("_"):
            return super().getattr(obj, attribute)
        if attribute in _attributes_of(obj):
            return getattr(obj, attribute)
        return self.undefined(f"there is no {attribute!r} here", obj=obj, name=attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """An item, and never an attribute by another way."""
        if not isinstance(obj, _INDEXED):
            return self.getattr(obj, str(argument))
        try:
            return obj[argument]
        except (TypeError, LookupError):
            return self.undefined(f"there is no {str(argument)[:40]!r} here", obj=obj, name=str(argument))

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        assert isinstance(__context, RunContext)
        __context.budget.spend(1)
        if not _may_be_called(__obj):
            raise SecurityError("this cannot be called in a template")
        __context.budget.short((*args, *kwargs.values()))
        given = {name: value for name, value in kwargs.items() if name not in _ADDED}
        return __context.budget.held(__obj(*args, **given))


@pass_context
def shown(context: RunContext, value: Any) -> str:
    """A value as it is printed. Lists and objects are not: what Python makes of them is for no reader."""
    text = text_of(value)
    context.budget.spend_on(text)
    return text


def _defined(value: Any) -> None:
    if isinstance(value, Undefined):
        str(value)


def _attributes_of(obj: Any) -> frozenset[str]:
    match obj:
        case str():
            return METHODS["text"]
        case Mapping():
            return METHODS["mapping"]
        case LoopContext():
            return frozenset(_LOOP)
    return frozenset()


def _may_be_called(obj: Any) -> bool:
    if obj is _range or obj is Namespace:
        return True
    if not isinstance(obj, MethodType | BuiltinMethodType):
        return False
    return obj.__name__ in _attributes_of(obj.__self__)


def _range(*bounds: int) -> range:
    numbers = range(*bounds)
    if abs(numbers.start - numbers.stop) > _LONGEST_RANGE * abs(numbers.step):
        raise TemplateError(f"a range has at most {_LONGEST_RANGE:,} numbers")
    return numbers
