"""Sleeping without missing anything, and being woken without making every commit pay for it.

`tidings.emit` takes an advisory lock shared until its commit. A worker that wants to sleep takes it exclusively:
while it holds it, every emit sees that somebody sleeps and sends NOTIFY; while it cannot have it, a commit is under
way and it must not sleep. One sleeper holds the lock for all; when it wakes it tells the others, and the next one
takes it. The poll is there for what nobody announces: a lost connection, a time that has come.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import asyncpg

from tidings.kit import db
from tidings.kit.settings import DatabaseSettings

CHANNEL = "tidings_outbox"
LOCK = 7205759403
_HOLD = timedelta(milliseconds=20)
_SENTINEL = """
SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32) | objid::bigint = $1)
"""


@dataclass
class Sleeper:
    """A worker's own connection for LISTEN and the lock. Without it (lost, or not there yet), the poll remains."""

    settings: DatabaseSettings
    connection: asyncpg.Connection[asyncpg.Record] | None = None
    connecting: asyncio.Task[None] | None = None
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    holds_lock: bool = False
    announced: bool = False

    async def prepare(self) -> None:
        """Call before the last look: what is committed after that look will wake this worker."""
        self.woken.clear()
        self.announced = False
        if self.connection is None or self.connection.is_closed():
            return self._connect()
        try:
            if not self.holds_lock:
                self.holds_lock = await self.connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK)
            self.announced = self.holds_lock or await self.connection.fetchval(_SENTINEL, LOCK)
        except db.AWAY:
            await self.close()

    async def sleep(self, longest: timedelta) -> bool:
        """Until woken, at most `longest`; but only for a moment while some commit may not announce itself.

        Returns whether somebody woke it.
        """
        wait = longest if self.announced else min(longest, _HOLD)
        if self.connection is None:
            wait = longest
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.woken.wait(), wait.total_seconds())
        return self.woken.is_set()

    async def rest(self) -> None:
        """After being woken for nothing: lets commits pass unannounced for a moment, and looks again then.

        Facts that no worker serves would otherwise make every commit send NOTIFY.
        """
        await self.awake()
        await asyncio.sleep(_HOLD.total_seconds())

    async def awake(self) -> None:
        """Lets go of the lock, so that emits stop notifying, and tells other sleepers to take it over."""
        if not self.holds_lock or self.connection is None:
            return
        self.holds_lock = False
        try:
            await self.connection.execute(f"SELECT pg_advisory_unlock({LOCK}), pg_notify('{CHANNEL}', '')")
        except db.AWAY:
            await self.close()

    async def close(self) -> None:
        if self.connecting is not None:
            self.connecting.cancel()
        connection, self.connection, self.holds_lock, self.connecting = self.connection, None, False, None
        if connection is not None:
            connection.terminate()

    def _connect(self) -> None:
        """Nobody waits for it: a server that does not answer must not keep the worker from looking for itself."""
        self.connection, self.holds_lock = None, False
        if self.connecting is None or self.connecting.done():
            self.connecting = asyncio.create_task(self._connect_and_listen())

    async def _connect_and_listen(self) -> None:
        with contextlib.suppress(*db.AWAY):
            connection = await db.connect(
                self.settings, db.Role.WORKER, name="sleeper", longest=self.settings.connect_timeout
            )
            try:
                await connection.add_listener(CHANNEL, self._notified)
            except BaseException:
                connection.terminate()
                raise
            connection.add_termination_listener(lambda _: self.woken.set())
            self.connection = connection
            self.woken.set()

    def _notified(self, connection: Any, pid: int, channel: str, payload: object) -> None:
        if self.connection is None or pid != self.connection.get_server_pid():
            self.woken.set()
