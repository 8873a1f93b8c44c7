"""Listeners: functions that turn a fact into notices. Rules are the same as data; see `rules`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Misconfigured
from tidings.spine.notify.rules.model import FACT_TYPE, matches
from tidings.spine.notify.saying import Notice

LISTENING = "__tidings_listeners__"
"""Where `listener` leaves its mark on a function."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A fact, as a listener hears of it."""

    id: UUID
    tenant: str
    type: str
    data: Mapping[str, Any]
    occurred_at: datetime
    stream: tuple[str, str] | None = None
    tenant_name: str = ""


Said: TypeAlias = "Notice | Sequence[Notice] | None"
F = TypeVar("F", bound=Callable[..., Awaitable[Any]])


@dataclass(frozen=True)
class Listener:
    """One listener: the types it hears of, and what it is known by in the records. `batch`: takes many at once.

    `asking`, for listeners of ours: takes the connection of the transaction that records what it says before the facts,
    so that what it saw there still holds when that is recorded. `settles`, for one of ours that hears `notice.settled`:
    of the notices of this listener alone.
    """

    name: str
    types: tuple[str, ...]
    function: Callable[..., Awaitable[Any]]
    batch: bool = False
    asking: bool = False
    settles: str | None = None

    @property
    def routes(self) -> tuple[str, ...]:
        """The types of facts that cause it an intent."""
        return self.types if self.settles is None else tuple(f"{each}/{self.settles}" for each in self.types)

    def hears(self, type: str) -> bool:
        return any(matches(pattern, type) for pattern in self.types)

    def on(self, connection: Connection) -> Listener:
        """The same, for facts that are heard in the transaction of this connection."""
        return replace(self, function=partial(self.function, connection)) if self.asking else self


def listener(*types: str, name: str | None = None, batch: bool = False) -> Callable[[F], F]:
    """Declares a function as a listener of facts: `async def told(fact) -> Notice | list[Notice] | None`.

    A type may end in `*`. Every listener runs by itself: one that fails stops no other, and is tried again alone.
    `name` is what it is recorded under, so that a rerun knows what is done; by default the function's own.
    With `batch=True` it takes a list of facts and returns a list, one answer for each.
    """
    for pattern in types:
        if not isinstance(pattern, str) or not re.fullmatch(FACT_TYPE, pattern):
            raise Misconfigured(f"@tidings.listener: {pattern!r} is no type of facts, such as order.paid or order.*")
    if not types:
        raise Misconfigured("name at least one type: @tidings.listener('order.paid')")

    def register(function: F) -> F:
        if not inspect.iscoroutinefunction(inspect.unwrap(function)):
            raise Misconfigured(f"@tidings.listener: {function!r} must be `async def`")
        known_as = name or f"{function.__module__}.{function.__qualname__}"
        setattr(function, LISTENING, (*getattr(function, LISTENING, ()), Listener(known_as, types, function, batch)))
        return function

    return register


def listeners_in(values: Iterable[object]) -> Iterator[Listener]:
    """Those among these that were declared as listeners; each function once, however often it is named."""
    seen: set[int] = set()
    for value in values:
        if id(value) not in seen and callable(value):
            seen.add(id(value))
            yield from getattr(value, LISTENING, ())


def distinct(listeners: Iterable[Listener]) -> tuple[Listener, ...]:
    """Refuses two of one name: the record of one would stand for the other."""
    named: dict[str, Listener] = {}
    for each in listeners:
        if each.name in named:
            raise Misconfigured(f"two listeners are called {each.name!r}; give one of them another name")
        named[each.name] = each
    return tuple(named.values())
