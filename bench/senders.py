"""Workers that send: people, a rule and providers for them, and how fast what is due goes out."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
from pydantic import SecretStr

from bench.processes import next_line, running
from bench.server import connected
from bench.workers import started
from tidings.kit.crypto import Vault
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import ADDRESSES, PROVIDERS

TIDINGS = (sys.executable, "-m", "tidings")
_KEY = "A" * 43
_POLL = 0.02
_TABLES = "deliveries deliveries_finished delivery_attempts notifications notices tallies facts outbox outbox_finished"
_PEOPLE = """
WITH people AS (
    INSERT INTO tidings.people (tenant, name, external_id) SELECT $1, 'Person ' || g, g::text
    FROM generate_series(1, $2::int) g RETURNING id, external_id
)
INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint, sealed)
SELECT $1, id, $3, CASE $3 WHEN 'email' THEN external_id || '@example.com' ELSE external_id END, id::text, $4
FROM people
"""


@dataclass(frozen=True)
class Senders:
    """Workers that have started and sleep, and the database they send from."""

    url: str
    processes: Sequence[Process]

    async def clear(self) -> None:
        """What earlier rounds left; and what autovacuum and the checkpointer would do in time."""
        async with connected(self.url) as connection:
            await connection.execute("TRUNCATE " + ", ".join(f"tidings.{table}" for table in _TABLES.split()))
            await connection.execute("TRUNCATE tidings.processed_by, tidings.sandbox_messages")
            await connection.execute(
                "UPDATE tidings.providers SET failures = 0, openings = 0, opened_at = NULL, open_until = NULL"
            )
            await connection.execute("VACUUM (ANALYZE)")
            await connection.execute("CHECKPOINT")

    async def told(self, facts: int, commit_each: int = 100) -> float:
        """Facts a second, from the first that is emitted until all that they cause is settled."""
        await self.clear()
        async with connected(self.url) as connection:
            began = time.monotonic()
            await emit(connection, facts, commit_each)
            return facts / (await settled(connection, facts) - began)

    def memory(self) -> list[float]:
        """Resident memory of each worker now, in MB."""
        return [_resident(process.pid) for process in self.processes]


async def emit(connection: asyncpg.Connection[asyncpg.Record], facts: int, commit_each: int) -> None:
    for first in range(0, facts, commit_each):
        some = range(first, min(first + commit_each, facts))
        await connection.fetchval(
            "SELECT tidings.emit_many($1, $2::text[]::jsonb[])",
            ["order.paid"] * len(some),
            [json.dumps({"orderId": n, "person": str(n % 1000 + 1)}) for n in some],
        )


async def settled(connection: asyncpg.Connection[asyncpg.Record], notices: int) -> float:
    count = "SELECT count(*) FROM (SELECT FROM tidings.tallies WHERE settled_at IS NOT NULL LIMIT $1) t"
    while await connection.fetchval(count, notices) < notices:
        await asyncio.sleep(_POLL)
    return time.monotonic()


def sending(url: str) -> dict[str, str]:
    """Settings of a stack that sends to the sandbox, or to servers on this machine."""
    return {
        "TIDINGS_DATABASE_URL": url,
        "TIDINGS_MASTER_KEY": _KEY,
        "TIDINGS_DELIVERY_DEFAULT_PROVIDER": "sandbox",
        "TIDINGS_NETWORK_ALLOW": "127.0.0.1",
    }


@asynccontextmanager
async def senders(url: str, count: int, **settings: str) -> AsyncIterator[Senders]:
    """Started, and idle for long enough to have fallen asleep. Nothing leaves the machine unless a provider says so."""
    async with AsyncExitStack() as stack:
        command = (*TIDINGS, "worker")
        chosen = sending(url) | settings
        processes = [await stack.enter_async_context(running(command, chosen)) for _ in range(count)]
        await started(url, processes)
        yield Senders(url, processes)


async def add_people(url: str, count: int, kind: str, address: str | None = None, tenant: str = "default") -> None:
    """Each with one address: their own, or all with the same URL."""
    secret = {"url": address, "secret": "whsec_" + "c2VjcmV0" * 4}
    async with connected(url) as connection:
        vault = await _vault(connection, ADDRESSES)
        sealed = None if address is None else vault.seal(json.dumps(secret).encode(), tenant)
        await connection.execute(_PEOPLE, tenant, count, kind, sealed)
        await connection.execute("VACUUM (ANALYZE)")


async def add_rule(url: str, channel: str, audience: dict[str, Any], tenant: str = "default") -> None:
    body = {
        "audience": [audience],
        "title": "Order {{ data.orderId }} is paid",
        "body": "Thank you for your order.",
        "channels": [channel],
    }
    async with connected(url) as connection:
        await connection.execute(
            """INSERT INTO tidings.rules (tenant, name, fact_type, body)
               VALUES ($1, 'bench', 'order.paid', $2::text::jsonb)""",
            tenant,
            json.dumps(body),
        )


async def add_provider(url: str, channel: str, type: str, config: dict[str, Any], tenant: str = "default") -> None:
    async with connected(url) as connection:
        sealed = (await _vault(connection, PROVIDERS)).seal(json.dumps(config).encode(), tenant)
        await connection.execute(
            "INSERT INTO tidings.providers (tenant, channel, type, name, config) VALUES ($1, $2, $3, 'bench', $4)",
            tenant,
            channel,
            type,
            sealed,
        )


@asynccontextmanager
async def endpoint(milliseconds: float) -> AsyncIterator[str]:
    """The URL of a webhook endpoint that answers after so long."""
    async with running((sys.executable, "-m", "bench.endpoint", str(milliseconds))) as process:
        yield f"http://127.0.0.1:{await next_line(process)}/hook"


@asynccontextmanager
async def mailbox() -> AsyncIterator[int]:
    """The port of a mail server."""
    async with running((sys.executable, "-m", "bench.mailbox")) as process:
        yield int(await next_line(process))


async def _vault(connection: asyncpg.Connection[asyncpg.Record], purpose: str) -> Vault:
    return (await unlocked(Settings(master_key=SecretStr(_KEY)), connection)).vault(purpose)


def _resident(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) * 1024 / 1e6
