"""Waiting for something to become so. The guard is there against hanging for ever; it measures nothing."""

from __future__ import annotations

import asyncio
import inspect
import socket
from collections.abc import Awaitable, Callable


class Violated(AssertionError):
    """A promise was broken."""


async def until(condition: Callable[[], bool | Awaitable[bool]], what: str, guard: float = 90) -> None:
    try:
        async with asyncio.timeout(guard):
            while True:
                holds = condition()
                if inspect.isawaitable(holds):
                    holds = await holds
                if holds:
                    return
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise Violated(f"did not come about: {what}") from None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
