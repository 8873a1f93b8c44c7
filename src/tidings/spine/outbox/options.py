"""What a handler may be declared with. What could not work is refused at once, not when an intent waits for it."""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from enum import StrEnum
from typing import Any, TypeVar

from tidings.kit.errors import Misconfigured

E = TypeVar("E", bound=StrEnum)

_KIND = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")  # as in tidings.intent_fault
_LONGEST_KIND = 200
_OURS = "tidings."


@contextlib.contextmanager
def declaring(kinds: Iterable[object]) -> Iterator[None]:
    """Names the declaration in what is wrong with it."""
    try:
        yield
    except Misconfigured as error:
        raise Misconfigured(f"@tidings.handler({', '.join(map(repr, kinds))}): {error.detail}") from None


def checked_kind(value: object) -> str:
    if not isinstance(value, str) or not _KIND.fullmatch(value) or len(value) > _LONGEST_KIND:
        raise Misconfigured(
            f"a kind must be lower-case words joined by dots, such as order.paid, of {_LONGEST_KIND} characters at "
            f"most, not {value!r}"
        )
    if value.startswith(_OURS):
        raise Misconfigured(f"the kind {value!r} is reserved: what begins with {_OURS!r} belongs to Tidings itself")
    return value


def require_durations(**options: object) -> None:
    for name, value in options.items():
        if value is not None and not (isinstance(value, timedelta) and value > timedelta(0)):
            raise Misconfigured(
                f"{name} must be a timedelta longer than zero, such as timedelta(seconds=5), not {value!r}"
            )


def require_counts(**options: object) -> None:
    for name, value in options.items():
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            raise Misconfigured(f"{name} must be a whole number, 1 or more, not {value!r}")


def require_flags(**options: object) -> None:
    for name, value in options.items():
        if not isinstance(value, bool):
            raise Misconfigured(f"{name} must be True or False, not {value!r}")


def chosen(name: str, value: object, among: type[E]) -> E:
    for choice in among:
        if value == choice:
            return choice
    raise Misconfigured(f"{name} must be {' or '.join(repr(str(choice)) for choice in among)}, not {value!r}")


def require_callable(function: Callable[..., Any], arguments: Iterable[str], *, awaited: bool) -> None:
    """That the engine can call it with these arguments, and that calling it runs it."""
    name = getattr(function, "__qualname__", repr(function))
    plain = inspect.unwrap(function)
    if awaited and not inspect.iscoroutinefunction(plain):
        raise Misconfigured(f"{name}: a handler with transaction=True must be `async def`")
    if inspect.isgeneratorfunction(plain) or inspect.isasyncgenfunction(plain):
        raise Misconfigured(f"{name}: a handler must not `yield`: nobody would run it")
    try:
        signature = inspect.signature(function)
    except ValueError:  # a few that are written in C have none
        return
    given = list(arguments)
    try:
        signature.bind(*given)
    except TypeError:
        raise Misconfigured(f"{name}: is called as {name}({', '.join(given)}), but takes {signature}") from None
