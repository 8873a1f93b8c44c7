"""Running blocking code of others in a thread, with its sockets led through a relay.

There is no way to hand such code a resolver, so `socket.getaddrinfo` is replaced, once for the process. Outside of
`run_confined` it does what it always did; inside, whatever is looked up leads to the relay. That goes for libraries
that connect to what they have looked up (`requests`, `smtplib`), and for work that they hand on with their context.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import ContextVar, copy_context
from functools import cache
from typing import Any, TypeVar

from tidings.spine.channels.relay import Relay

T = TypeVar("T")
_way_out: ContextVar[Callable[[str, int], int] | None] = ContextVar("tidings_way_out", default=None)


async def run_confined(executor: Executor, relay: Relay, seconds: float, work: Callable[[], T]) -> T:
    """Runs it in a thread of the executor. Cancelled before it has begun, it never begins.

    A look-up takes so many seconds at most, so that no thread waits for a loop that has ended.
    """
    _replace_look_up()
    loop = asyncio.get_running_loop()

    def open_way(host: str, port: int) -> int:
        return asyncio.run_coroutine_threadsafe(_unconfined(relay, host, port), loop).result(seconds)

    def confined() -> T:
        _way_out.set(open_way)
        return work()

    return await asyncio.wrap_future(executor.submit(copy_context().run, confined))


async def _unconfined(relay: Relay, host: str, port: int) -> int:
    """The relay's own look-ups are real ones: the context comes along from the thread that asks."""
    _way_out.set(None)
    return await relay.open(host, port)


@cache
def _replace_look_up() -> None:
    real: Callable[..., Any] = socket.getaddrinfo

    def getaddrinfo(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        open_way = _way_out.get()
        if open_way is None:
            return real(host, port, *args, **kwargs)
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
        if not isinstance(name, str) or not str(port).isdigit():
            raise socket.gaierror(socket.EAI_NONAME, "not a host and port")
        where = ("127.0.0.1", open_way(name, int(port)))
        return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", where)]

    socket.getaddrinfo = getaddrinfo
