"""What a scenario has to work with: a database, a provider, processes, a seed, and what was acknowledged."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import asyncpg

from tests.chaos.cluster import Cluster
from tests.chaos.processes import HANDLERS, Life, Processes
from tests.chaos.provider import Provider, running_provider
from tests.chaos.verdict import Evidence, Outage
from tests.chaos.waiting import Violated, until

LEASE = 2.0
LONG_LEASE = {"TIDINGS_OUTBOX_LEASE": "30s"}  # where no lease is meant to run out
POLL = 0.2


@dataclass
class World:
    cluster: Cluster
    url: str
    provider: Provider
    processes: Processes
    random: random.Random
    acknowledged: dict[str, float] = field(default_factory=dict)
    outages: list[Outage] = field(default_factory=list)

    def worker(self, wrapper: Sequence[str] = (), **settings: str) -> Life:
        """A real `tidings worker`, with a short lease, that sends to the provider."""
        return self.processes.start(["worker", f"--load={HANDLERS}"], self.environment | settings, wrapper)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "TIDINGS_DATABASE_URL": self.url,
            "TIDINGS_MASTER_KEY": "A" * 43,
            "TIDINGS_OUTBOX_LEASE": f"{LEASE}s",
            "TIDINGS_OUTBOX_POLL": f"{POLL}s",
            "TIDINGS_OUTBOX_CONCURRENCY": "20",
            "TIDINGS_LOG_LEVEL": "warning",
            "CHAOS_PROVIDER": self.provider.address,
        }

    async def connect(self) -> asyncpg.Connection[asyncpg.Record]:
        return await asyncpg.connect(self.url)

    async def emit(
        self,
        connection: asyncpg.Connection[asyncpg.Record],
        count: int,
        kind: str = "chaos.sent",
        *,
        tenant: str = "default",
        keys: Sequence[str] | None = None,
        run_at: datetime | None = None,
        roll_back: bool = False,
    ) -> list[str]:
        """Emits in a transaction of its own. Only what its commit returned for counts as acknowledged."""
        transaction = connection.transaction()
        await transaction.start()
        ids = await connection.fetchval(
            "SELECT tidings.emit_many($1, $2::jsonb[], $3, $3, $4, $5, $6, $7::jsonb[])::text[]",
            [kind] * count,
            [json.dumps({"n": n}) for n in range(count)],
            [None] * count,
            [tenant] * count,
            keys or [None] * count,
            [run_at] * count,
            ["{}"] * count,
        )
        if roll_back:
            await transaction.rollback()
            return []
        await transaction.commit()
        now = time.monotonic()
        self.acknowledged.update((key, now) for key in ids)
        return list(ids)

    @property
    def evidence(self) -> Evidence:
        return Evidence(self.acknowledged, self.provider.ledger, self.processes.kills, self.outages)

    async def until_all_arrived(self, guard: float = 90) -> None:
        """Everything that is acknowledged by now."""
        missing = self.evidence.missing()

        def have_arrived() -> bool:
            missing[:] = [key for key in missing if key not in self.provider.ledger]
            return not missing

        try:
            await until(have_arrived, "everything acknowledged arrives", guard)
        except Violated:
            self.evidence.require_none_lost()

    async def until_settled(self, kind: str = "chaos.%", guard: float = 90) -> None:
        """Until the operator sees nothing open of these kinds."""

        async def is_settled() -> bool:
            return not await self.count("SELECT count(*) FROM tidings.outbox WHERE kind LIKE $1", kind)

        await until(is_settled, f"no {kind} is open any more", guard)

    async def finished(self, status: str) -> set[str]:
        """What the operator sees as ended this way."""
        rows = await self.fetch("SELECT id::text FROM tidings.outbox_finished WHERE status = $1", status)
        return {row["id"] for row in rows}

    async def count(self, query: str, *arguments: object) -> int:
        return int((await self.fetch(query, *arguments))[0][0])

    async def fetch(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        connection = await self.connect()
        try:
            return await connection.fetch(query, *arguments)
        finally:
            await connection.close()

    async def execute(self, *statements: str) -> None:
        connection = await self.connect()
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()


@asynccontextmanager
async def new_world(cluster: Cluster, seed: int) -> AsyncIterator[World]:
    """A world of its own; on leaving, every process that was started in it is gone. A violation names the seed."""
    home = Path(tempfile.mkdtemp(prefix="tidings-chaos-logs-"))
    processes = Processes(home)
    try:
        async with cluster.database() as url, running_provider() as provider:
            world = World(cluster, url, provider, processes, random.Random(seed))
            try:
                yield world
            except BaseException as error:
                error.add_note(f"seed {seed}\n{processes.logs()}")
                raise
            finally:
                processes.reap()
    finally:
        shutil.rmtree(home)
