"""Handlers and listeners, from whatever holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, TypeAlias

from tidings.spine.notify.listeners import Listener, distinct, listeners_in
from tidings.spine.outbox.handlers import Handlers, Kind, declared_in

Declaring: TypeAlias = Callable[..., Any] | ModuleType | Kind | str
"""A function declared with `tidings.handler` or `tidings.listener`, a module that holds some, or the module's name."""


def handlers_of(sources: Iterable[Declaring]) -> Handlers:
    values = list(_values(sources))
    kinds = [value for value in values if isinstance(value, Kind)]
    return Handlers().including([*kinds, *declared_in(values)])


def listeners_of(sources: Iterable[Declaring]) -> tuple[Listener, ...]:
    return distinct(listeners_in(_values(sources)))


def _values(sources: Iterable[Declaring]) -> Iterator[object]:
    for source in sources:
        module = import_module(source) if isinstance(source, str) else source
        yield from vars(module).values() if isinstance(module, ModuleType) else (module,)
