"""A small world for tests of deliveries: people, notices and providers in a real database, and a worker that sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from aiohttp import web
from pydantic import SecretStr

from tests.outbox.engines import Owner, close
from tidings.app.worker import build_notify, build_outbox, build_relay, deliveries, open_pools
from tidings.kit import db
from tidings.kit.crypto import Keyring
from tidings.kit.settings import DeliverySettings, NetworkSettings, OutboxSettings, Settings
from tidings.spine.access.purposes import KEPT_MESSAGES, PROVIDERS
from tidings.spine.channels.network import open_network
from tidings.spine.channels.port import Channel
from tidings.spine.delivery.configuring import Configurations
from tidings.spine.delivery.providers import NewProvider, Provider, Providers
from tidings.spine.notify.fanning import FanOut
from tidings.spine.outbox.handlers import Handlers

TENANT = "default"
NO_ANSWER = 599
"""For a provider that takes a request and breaks the connection."""
MAIL = {"fromAddress": "post@example.com"}


@dataclass
class Mailer:
    """A provider of mail on loopback: answers as it is told, and remembers who asked for what."""

    answer: Callable[[str], int] = lambda key: 200
    keys: list[str] = field(default_factory=list)
    flying: int = 0
    most: int = 0
    delay: float = 0.0
    port: int = 0

    async def _serve(self, request: web.Request) -> web.Response:
        key = request.headers["Idempotency-Key"]
        self.keys.append(key)
        self.flying += 1
        self.most = max(self.most, self.flying)
        await asyncio.sleep(self.delay)
        self.flying -= 1
        status = self.answer(key)
        if status == NO_ANSWER and request.transport is not None:
            request.transport.abort()
        return web.json_response({"id": f"receipt-{key}"}, status=status)

    @property
    def config(self) -> dict[str, str]:
        return {**MAIL, "apiKey": "re_canary_of_the_provider", "baseUrl": f"http://127.0.0.1:{self.port}"}


@asynccontextmanager
async def mailer() -> AsyncIterator[Mailer]:
    server = Mailer()
    app = web.Application()
    app.router.add_post("/emails", server._serve)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.port = runner.addresses[0][1]
    try:
        yield server
    finally:
        await runner.cleanup()


def sending_settings(settings: Settings, **delivery: Any) -> Settings:
    """Settings under which loopback may be sent to, nothing waits long, and a circuit opens after three failures."""
    limits: dict[str, Any] = {
        "retry_base": timedelta(milliseconds=1),
        "circuit_after": 3,
        "circuit_pause": timedelta(hours=1),
        "circuit_longest": timedelta(hours=1),
        **delivery,
    }
    return settings.model_copy(
        update={
            "master_key": SecretStr("A" * 43),
            "delivery": DeliverySettings(**limits),
            "network": NetworkSettings(allow=("127.0.0.0/8",)),
            "outbox": OutboxSettings(poll=timedelta(milliseconds=100), retry_base=timedelta(milliseconds=1)),
        }
    )


@dataclass(frozen=True)
class PostOffice:
    settings: Settings
    pool: db.Pool
    owner: Owner
    keyring: Keyring

    @cached_property
    def configurations(self) -> Configurations:
        return Configurations(self.keyring.vault(PROVIDERS), open_network(self.settings.network))

    def providers(self, tenant: str = TENANT, connection: Any = None) -> Providers:
        return Providers(connection or self.owner, tenant, self.configurations)

    @property
    def kept_vault(self) -> Any:
        return self.keyring.vault(KEPT_MESSAGES)

    async def provider(
        self, config: dict[str, Any], name: str = "first", type: str = "resend", **limits: Any
    ) -> Provider:
        return await self.providers().create(NewProvider(Channel.EMAIL, type, name, config, limits))

    async def people(self, count: int) -> list[UUID]:
        rows = await self.owner.fetch(
            """WITH made AS (INSERT INTO tidings.people (tenant, name)
                   SELECT $1, 'Somebody' FROM generate_series(1, $2::int) RETURNING id),
               reached AS (INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
                   SELECT $1, id, 'email', id || '@example.com', id || '@example.com' FROM made)
               SELECT id FROM made""",
            TENANT,
            count,
        )
        return [row["id"] for row in rows]

    async def notice(self, channels: Sequence[str] = ("email",), default: str = "none") -> UUID:
        """Says something to everybody, and fans it out."""
        notice: UUID = await self.owner.fetchval(
            """WITH said AS (INSERT INTO tidings.notices
                   (id, tenant, listener, title, body, template, level, category, channels, audience)
               VALUES (tidings.uuid7(), $1, 'test', 'Paid', 'Order 7 is paid.', 'notice', 'info', 'orders', $2,
                   '[{"by": "everyone"}]') RETURNING id),
               counted AS (INSERT INTO tidings.tallies (notice_id, tenant) SELECT id, $1 FROM said)
               SELECT id FROM said""",
            TENANT,
            list(channels),
        )
        assert await FanOut(dict.fromkeys(channels, default)).reach(self.owner, [notice]) == []
        return notice

    async def delivery_of(self, notice: UUID) -> UUID:
        delivery: UUID = await self.owner.fetchval(
            """SELECT id FROM tidings.deliveries WHERE notice_id = $1
               UNION ALL SELECT id FROM tidings.deliveries_finished WHERE notice_id = $1""",
            notice,
        )
        return delivery

    async def tally(self, notice: UUID) -> dict[str, Any]:
        row = await self.owner.fetchrow(
            "SELECT open, sent, skipped, failed, settled_at FROM tidings.tallies WHERE notice_id = $1", notice
        )
        assert row is not None
        return {name: value for name, value in row.items() if value and name != "settled_at"}

    async def counted(self, notice: UUID) -> dict[str, Any]:
        """What the tally should say, by the rows."""
        rows = await self.owner.fetch(
            """SELECT status, count(*) AS n FROM (
                   SELECT 'open' AS status FROM tidings.deliveries WHERE notice_id = $1
                   UNION ALL SELECT status FROM tidings.deliveries_finished WHERE notice_id = $1) d GROUP BY 1""",
            notice,
        )
        return {row["status"]: row["n"] for row in rows}

    async def outcomes(self, delivery: UUID) -> list[str]:
        rows = await self.owner.fetch(
            "SELECT outcome FROM tidings.delivery_attempts WHERE delivery_id = $1 ORDER BY ended_at", delivery
        )
        return [row["outcome"] for row in rows]

    async def circuit(self, provider: Provider) -> str:
        return (await self.providers().get(provider.id)).circuit

    async def let_circuits_be_tried(self) -> None:
        await self.owner.execute("UPDATE tidings.providers SET open_until = now() WHERE opened_at IS NOT NULL")

    @asynccontextmanager
    async def worker(self, stop_within: timedelta = timedelta(seconds=10)) -> AsyncIterator[None]:
        """A worker that sends, until the block ends."""
        handlers = Handlers().including(build_notify(self.settings, []))
        pools, worker = await open_pools(self.settings, handlers, "sender"), uuid4()
        stop = asyncio.Event()
        async with deliveries(self.settings, pools.engine, worker) as sending:
            sources = [build_outbox(self.settings, pools.engine, worker, handlers), sending]
            relay = build_relay(self.settings, pools, sources, "test", lambda: None)
            run = asyncio.create_task(relay.run(stop, stop_within))
            try:
                yield
            finally:
                stop.set()
                await run
        await close(pools)
