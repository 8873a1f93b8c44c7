"""Filters that no template names: `weaving.woven` puts them where something could grow or go on unseen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from jinja2 import pass_context
from markupsafe import Markup, escape

from tidings.spine.notify.templates.budget import LETTERS
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.printing import is_scalar, text_of
from tidings.spine.notify.templates.sandbox import RunContext
from tidings.spine.notify.templates.weaving import COUNTED, FLAT, JOINED, WEIGHED


@pass_context
def counted(context: RunContext, values: Iterable[Any], steps: int) -> Iterator[Any]:
    """What a loop goes over, each item paid for before the loop sees it."""
    if isinstance(values, str | bytes):
        raise TemplateError("a loop goes over a list, not over the letters of a text")
    spend = context.budget.spend
    for value in values:
        spend(steps)
        yield value


@pass_context
def joined(context: RunContext, values: Iterable[Any]) -> str:
    """`a ~ b`: as Jinja does it, escaping the others where one of them is markup."""
    texts = [text_of(value) for value in values]
    if any(isinstance(text, Markup) for text in texts):
        texts = [escape(text) for text in texts]
    context.budget.fits(sum(map(len, texts)))
    context.budget.spend(1 + sum(map(len, texts)) // LETTERS)
    whole = "".join(texts)
    return Markup(whole) if texts and isinstance(texts[0], Markup) else whole  # noqa: S704 - of escaped parts


@pass_context
def flat(context: RunContext, values: Any) -> Any:
    """A list or object of a template's own holds single values: of lists of lists, a short text makes billions."""
    inner = chain(values.keys(), values.values()) if isinstance(values, Mapping) else values
    context.budget.spend_on(values)
    if not all(is_scalar(value) for value in inner):
        raise TemplateError("a list in a template holds texts and numbers, not other lists or objects")
    return values


@pass_context
def weighed(context: RunContext, value: Any) -> Any:
    context.budget.spend_on(value)
    return value


WOVEN = {COUNTED: counted, JOINED: joined, FLAT: flat, WEIGHED: weighed}
