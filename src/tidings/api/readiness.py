"""Whether the API can do its work: the database migrated, its data keys opened, Temporal there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from tidings.kit import db
from tidings.kit.crypto import Keyring
from tidings.migrations import current_revision, older_revisions
from tidings.spine.broker.health import Watch
from tidings.spine.processes.connecting import Temporal
from tidings.spine.processes.health import fault_of

_PATIENCE = 2.0


@dataclass(frozen=True)
class Readiness:
    pool: db.Pool
    keyring: Keyring
    temporal: Temporal
    broker: Watch | None = None
    outdated: frozenset[str] = field(default_factory=older_revisions)

    async def faults(self) -> list[str]:
        """What is down, a sentence each; nothing when all is well."""
        found = await asyncio.gather(self._database(), self._temporal())
        return [fault for fault in found if fault is not None]

    async def of_broker(self) -> dict[str, str]:
        """How the broker is, where one is set. Nothing of the API's waits for it."""
        if self.broker is None:
            return {}
        fault = await self.broker.fault(_PATIENCE)
        return {"broker": "there" if fault is None else f"away: {fault}"}

    async def _database(self) -> str | None:
        try:
            async with asyncio.timeout(_PATIENCE), db.acquired(self.pool, _PATIENCE) as connection:
                revision = await current_revision(connection)
        except db.FAILING:
            return "the database cannot be reached"
        if revision is None or revision in self.outdated:
            return "the database is not at the newest revision; run `tidings migrate`"
        if self.keyring.held is None:
            return "the data keys are not open; the log says why"
        return None

    async def _temporal(self) -> str | None:
        return await fault_of(self.temporal, _PATIENCE) if self.temporal.settings.address else None
