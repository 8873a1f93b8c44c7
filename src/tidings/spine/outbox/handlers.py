"""Handlers, registered by kind."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any, TypeAlias, TypeVar

from tidings.kit.errors import Misconfigured
from tidings.kit.settings import OutboxSettings
from tidings.spine.outbox.options import (
    checked_kind,
    chosen,
    declaring,
    require_callable,
    require_counts,
    require_durations,
    require_flags,
)
from tidings.spine.outbox.retry import RetryPolicy

Function: TypeAlias = Callable[..., Any]
F = TypeVar("F", bound=Function)

_BATCHES_AT_ONCE = 3


class Shape(StrEnum):
    """How a handler is called."""

    ONE = "one"  # handler(intent)
    BATCH = "batch"  # handler(intents)
    TRANSACTION = "transaction"  # handler(connection, intents): its writes commit together with the settling

    @property
    def arguments(self) -> tuple[str, ...]:
        match self:
            case Shape.ONE:
                return ("intent",)
            case Shape.BATCH:
                return ("intents",)
            case Shape.TRANSACTION:
                return ("connection", "intents")


class KeyPolicy(StrEnum):
    """What the key of a finished intent does."""

    ONCE = "once"  # blocks for the dedup window
    REARM = "rearm"  # may be written again at once


@dataclass(frozen=True)
class Kind:
    """One kind of intent, and all that the engine must know to run it."""

    name: str
    function: Function
    shape: Shape = Shape.ONE
    keys: KeyPolicy = KeyPolicy.ONCE
    ordered: bool = False
    concurrency: int | None = None
    batch: int | None = None
    timeout: timedelta | None = None
    max_attempts: int | None = None
    retry_base: timedelta | None = None
    retry_cap: timedelta | None = None

    def policy(self, settings: OutboxSettings) -> RetryPolicy:
        return RetryPolicy(
            self.max_attempts or settings.max_attempts,
            self.retry_base or settings.retry_base,
            self.retry_cap or settings.retry_cap,
        )

    def runs(self, settings: OutboxSettings) -> int:
        """Most calls of the handler at a time."""
        return self.concurrency or (settings.concurrency if self.shape is Shape.ONE else _BATCHES_AT_ONCE)

    def size(self, settings: OutboxSettings) -> int:
        """Most intents in one lease."""
        return self.batch or (settings.concurrency if self.shape is Shape.ONE else settings.batch)

    @property
    def is_async(self) -> bool:
        return inspect.iscoroutinefunction(inspect.unwrap(self.function))


@dataclass(frozen=True)
class Handlers:
    """The kinds that a worker serves. Only these are leased."""

    kinds: dict[str, Kind] = field(default_factory=dict)

    def add(self, kind: Kind) -> None:
        if kind.name in self.kinds:
            raise Misconfigured(f"two handlers for the kind {kind.name!r}; a kind has one")
        self.kinds[kind.name] = kind

    def including(self, others: Iterable[Kind]) -> Handlers:
        union = Handlers(dict(self.kinds))
        for kind in others:
            union.add(kind)
        return union

    def __iter__(self) -> Iterator[Kind]:
        return iter(self.kinds.values())


REGISTERED = "__tidings_kinds__"
"""Where `handler` leaves its mark on a function."""


def declared_in(values: Iterable[object]) -> Iterator[Kind]:
    """The kinds of those among these that were declared as handlers; each function once, however often it is named."""
    seen: set[int] = set()
    for value in values:
        if id(value) not in seen and callable(value):
            seen.add(id(value))
            yield from getattr(value, REGISTERED, ())


def handler(
    *kinds: str,
    keys: KeyPolicy | str = KeyPolicy.ONCE,
    batch: int | None = None,
    transaction: bool = False,
    ordered: bool = False,
    concurrency: int | None = None,
    timeout: timedelta | None = None,
    max_attempts: int | None = None,
    retry_base: timedelta | None = None,
    retry_cap: timedelta | None = None,
) -> Callable[[F], F]:
    """Declares a function as the handler of one or more kinds; the type of a fact is the kind of its intent.

    `async def handle(intent)` takes one at a time, many at once. With `batch=n` it is called with a list of up to n.
    With `transaction=True` it is called as `handle(connection, intents)`, and what it writes on that asyncpg
    connection commits together with the settling of the intents: once, or not at all. A plain `def` runs in a thread.
    What could not work is refused here, with `Misconfigured`.

    With `ordered=True` the intents of one kind in one declared stream run one after the other, in the stream's order; a
    dead one holds up those behind it. Each kind has an order of its own, also where one handler serves several.
    """
    if not kinds:
        raise Misconfigured("name at least one kind: @tidings.handler('order.paid')")
    with declaring(kinds):
        require_durations(timeout=timeout, retry_base=retry_base, retry_cap=retry_cap)
        require_counts(batch=batch, concurrency=concurrency, max_attempts=max_attempts)
        require_flags(transaction=transaction, ordered=ordered)
        policy = chosen("keys", keys, KeyPolicy)
        names = [checked_kind(name) for name in kinds]
    shape = Shape.TRANSACTION if transaction else Shape.BATCH if batch else Shape.ONE
    template = Kind(
        "",
        lambda: None,
        shape,
        policy,
        ordered,
        concurrency,
        batch,
        timeout,
        max_attempts,
        retry_base,
        retry_cap,
    )

    def register(function: F) -> F:
        require_callable(function, shape.arguments, awaited=transaction)
        declared = tuple(replace(template, name=name, function=function) for name in names)
        setattr(function, REGISTERED, getattr(function, REGISTERED, ()) + declared)
        return function

    return register
