"""A handler that could not work is refused where it is declared, in one line that says what is wrong with it."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

import pytest

import tidings
from tidings.kit.errors import Misconfigured
from tidings.spine.outbox.handlers import REGISTERED


async def one(intent: object) -> None: ...
async def two(connection: object, intents: object) -> None: ...
async def none() -> None: ...
async def three(a: object, b: object, c: object) -> None: ...
async def any_number(*arguments: object) -> None: ...
async def with_default(intent: object, more: object = None) -> None: ...
async def by_name(*, intent: object) -> None: ...
async def yielding(intent: object) -> AsyncIterator[object]:
    yield intent


@functools.wraps(one)
async def wrapped(*arguments: object) -> None: ...


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"retry_base": 5}, "retry_base must be a timedelta longer than zero, such as timedelta(seconds=5), not 5"),
        ({"retry_cap": 60.0}, "retry_cap must be a timedelta"),
        ({"timeout": 5}, "timeout must be a timedelta"),
        ({"timeout": "5s"}, "timeout must be a timedelta"),
        ({"timeout": timedelta(0)}, "timeout must be a timedelta longer than zero"),
        ({"retry_base": timedelta(seconds=-1)}, "retry_base must be a timedelta longer than zero"),
        ({"max_attempts": 0}, "max_attempts must be a whole number, 1 or more, not 0"),
        ({"max_attempts": "3"}, "max_attempts must be a whole number"),
        ({"max_attempts": True}, "max_attempts must be a whole number"),
        ({"batch": 0}, "batch must be a whole number"),
        ({"batch": -5}, "batch must be a whole number"),
        ({"concurrency": 0}, "concurrency must be a whole number"),
        ({"concurrency": 1.5}, "concurrency must be a whole number"),
        ({"ordered": "yes"}, "ordered must be True or False, not 'yes'"),
        ({"transaction": 1}, "transaction must be True or False"),
        ({"keys": "twice"}, "keys must be 'once' or 'rearm', not 'twice'"),
        ({"keys": None}, "keys must be 'once' or 'rearm'"),
    ],
)
def test_an_option_that_could_not_work(options: dict[str, Any], said: str) -> None:
    with pytest.raises(Misconfigured) as refusal:
        tidings.handler("order.paid", **options)
    assert refusal.value.detail.startswith(f"@tidings.handler('order.paid'): {said}")


@pytest.mark.parametrize(
    "kind", ["order", "Order.paid", "order.", "order paid", "order.paid\n", "a." + "b" * 199, "", 5]
)
def test_a_kind_that_no_intent_could_have(kind: Any) -> None:
    with pytest.raises(Misconfigured, match=r"a kind must be lower-case words joined by dots, such as order\.paid"):
        tidings.handler("order.paid", kind)


def test_a_kind_of_our_own() -> None:
    with pytest.raises(Misconfigured, match=r"'tidings\.maintain' is reserved"):
        tidings.handler("tidings.maintain")


def test_a_decorator_without_its_kinds() -> None:
    with pytest.raises(Misconfigured, match="a kind must be"):
        tidings.handler(one)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("function", "options", "said"),
    [
        (none, {}, "is called as none(intent), but takes ()"),
        (two, {}, "is called as two(intent), but takes (connection"),
        (by_name, {}, "is called as by_name(intent)"),
        (three, {"batch": 5}, "is called as three(intents)"),
        (one, {"transaction": True}, "is called as one(connection, intents)"),
        (yielding, {}, "must not `yield`"),
        (lambda connection, intents: None, {"transaction": True}, "must be `async def`"),
    ],
)
def test_a_function_that_could_not_be_called(function: Callable[..., Any], options: dict[str, Any], said: str) -> None:
    with pytest.raises(Misconfigured) as refusal:
        tidings.handler("order.paid", **options)(function)
    assert said in refusal.value.detail


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (one, {"timeout": timedelta(seconds=5), "retry_base": timedelta(milliseconds=1), "retry_cap": timedelta.max}),
        (one, {"batch": 1, "concurrency": 1, "max_attempts": 1, "ordered": True, "keys": tidings.KeyPolicy.REARM}),
        (two, {"transaction": True, "batch": 10}),
        (any_number, {"transaction": True}),
        (with_default, {}),
        (wrapped, {}),
        (functools.partial(two, None), {}),
        (lambda intent: None, {}),
    ],
)
def test_what_works_is_taken(function: Callable[..., Any], options: dict[str, Any]) -> None:
    declared = tidings.handler("order.paid", **options)(function)
    assert [kind.name for kind in getattr(declared, REGISTERED)[-1:]] == ["order.paid"]
