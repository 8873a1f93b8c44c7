"""Running until asked to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any


@contextmanager
def on_stop_signal(react: Callable[[], None]) -> Iterator[None]:
    """Call `react` for each Ctrl-C, SIGTERM or hang-up; outside the main thread, which gets them, do nothing."""
    loop = asyncio.get_running_loop()
    numbers = _stop_signals() if current_thread() is main_thread() else []
    for number in numbers:
        loop.add_signal_handler(number, react)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def _stop_signals() -> list[signal.Signals]:
    """A hang-up that is ignored stays so: that is what `nohup` is for."""
    unheard = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM] + ([] if unheard else [signal.SIGHUP])


async def unless_stopped(work: Coroutine[Any, Any, None], stop: asyncio.Event) -> None:
    """Do `work`, and then wait to be stopped; asked to stop earlier, give up the work."""
    working, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
            await stopping
    finally:
        working.cancel()
        stopping.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)
