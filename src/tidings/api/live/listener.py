"""The connection on which a process hears what the others announce."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog

from tidings.kit import db
from tidings.kit.settings import DatabaseSettings

log = structlog.get_logger("tidings.live")

_LOOK = timedelta(seconds=10)
_FIRST_WAIT = timedelta(milliseconds=100)
_LONGEST_WAIT = timedelta(seconds=5)


@dataclass(frozen=True)
class Listener:
    """Listens for as long as it runs. After each (re)connect it calls `began`: what was said before went unheard."""

    settings: DatabaseSettings
    channels: Mapping[str, Callable[[str], None]]
    began: Callable[[], None]

    async def run(self) -> None:
        wait = _FIRST_WAIT
        while True:
            try:
                async with self._listening() as (connection, lost):
                    wait = _FIRST_WAIT
                    self.began()
                    await _until_lost(connection, lost)
            except db.FAILING as error:
                log.warning("listening connection lost", error=repr(error))
            await asyncio.sleep(wait.total_seconds())
            wait = min(wait * 2, _LONGEST_WAIT)

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[tuple[db.Connection, asyncio.Event]]:
        lost = asyncio.Event()
        connection = await db.connect(self.settings, db.Role.API, name="live", longest=self.settings.connect_timeout)
        try:
            connection.add_termination_listener(lambda _: lost.set())
            for channel in self.channels:
                await connection.add_listener(channel, self._notified)
            yield connection, lost
        finally:
            connection.terminate()

    def _notified(self, connection: Any, pid: int, channel: str, payload: object) -> None:
        self.channels[channel](str(payload))


async def _until_lost(connection: db.Connection, lost: asyncio.Event) -> None:
    """Asks now and then: nobody says so when a connection has gone silent."""
    while not lost.is_set():
        try:
            await asyncio.wait_for(lost.wait(), _LOOK.total_seconds())
        except TimeoutError:
            await connection.execute("SELECT 1")
