"""The whole way from a fact to its deliveries: what it takes, written straight into the tables, and what came of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, TypeAlias
from uuid import UUID, uuid4

import asyncpg
from pydantic import SecretStr

from tidings.kit.settings import DatabaseSettings, DeliverySettings, NetworkSettings, OutboxSettings, Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import ADDRESSES, KEPT_MESSAGES, PROVIDERS
from tidings.spine.delivery.sandbox import context
from tidings.testing import adrain

Owner: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
KEY = SecretStr("A" * 43)


def sending_settings(url: str, *, allow: Sequence[str] = ("127.0.0.1",), **delivery: Any) -> Settings:
    """For a worker that sends to the sandbox, or to servers on this machine."""
    return Settings(
        database=DatabaseSettings(url=url),
        master_key=KEY,
        delivery=DeliverySettings(**{"default_provider": "sandbox", "deadline": timedelta(seconds=5)} | delivery),
        network=NetworkSettings(allow=tuple(allow)),
        outbox=OutboxSettings(lease=timedelta(hours=1)),
    )


async def drain(settings: Settings, *functions: Any) -> None:
    """Does what a worker would do now, through the providers that are set; what falls due later stays."""
    await adrain(settings, *functions, sandbox=False)


async def add_person(owner: Owner, name: str = "The owner", tenant: str = "default", **given: Any) -> UUID:
    """A person with addresses (`email=`, `phone=`, `push=`) and any columns of `people`."""
    addresses = {kind: given.pop(kind) for kind in ("email", "phone", "push") if kind in given}
    columns = {"tenant": tenant, "name": name} | given
    places = ", ".join(f"${n}" for n in range(1, len(columns) + 1))
    person: UUID = await owner.fetchval(
        f"INSERT INTO tidings.people ({', '.join(columns)}) VALUES ({places}) RETURNING id", *columns.values()
    )
    for kind, value in addresses.items():
        await owner.execute(
            "INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint) VALUES ($1, $2, $3, $4, $5)",
            tenant,
            person,
            kind,
            value,
            value.lower(),
        )
    return person


async def add_url(owner: Owner, settings: Settings, person: UUID, kind: str, url: str, tenant: str = "default") -> UUID:
    """An address that is a URL: a webhook, an Apprise URL, a Slack hook."""
    vault = (await unlocked(settings, owner)).vault(ADDRESSES)
    sealed = vault.seal(json.dumps({"url": url, "secret": "whsec_" + "c2VjcmV0" * 4}).encode(), tenant)
    id: UUID = await owner.fetchval(  # noqa: A001
        """INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint, sealed)
           VALUES ($1, $2, $3, 'somewhere', $4, $5) RETURNING id""",
        tenant,
        person,
        kind,
        url,
        sealed,
    )
    return id


async def add_rule(owner: Owner, fact_type: str = "order.paid", tenant: str = "default", **body: Any) -> UUID:
    """A rule that tells everyone by push, but for what is given."""
    name = body.pop("name", f"rule {uuid4()}")
    whole = {
        "audience": [{"by": "everyone"}],
        "title": "Order {{ data.id }} is paid",
        "body": "Thank you.",
        "channels": ["push"],
    } | body
    id: UUID = await owner.fetchval(  # noqa: A001
        "INSERT INTO tidings.rules (tenant, name, fact_type, body) VALUES ($1, $2, $3, $4::text::jsonb) RETURNING id",
        tenant,
        name,
        fact_type,
        json.dumps(whole),
    )
    return id


async def add_provider(owner: Owner, settings: Settings, channel: str, type: str, **columns: Any) -> UUID:
    config = columns.pop("config", None)
    vault = (await unlocked(settings, owner)).vault(PROVIDERS)
    sealed = None if config is None else vault.seal(json.dumps(config).encode(), "default")
    given = {"tenant": "default", "channel": channel, "type": type, "name": type, "config": sealed} | columns
    places = ", ".join(f"${n}" for n in range(1, len(given) + 1))
    id: UUID = await owner.fetchval(  # noqa: A001
        f"INSERT INTO tidings.providers ({', '.join(given)}) VALUES ({places}) RETURNING id", *given.values()
    )
    return id


async def emit(owner: Owner, type: str = "order.paid", tenant: str = "default", **data: Any) -> UUID:
    id: UUID = await owner.fetchval(  # noqa: A001
        "SELECT tidings.emit($1, $2::text::jsonb, tenant => $3)", type, json.dumps({"id": 7} | data), tenant
    )
    return id


async def kept(owner: Owner, settings: Settings) -> list[dict[str, Any]]:
    """What the sandbox kept, opened, oldest first."""
    vault = (await unlocked(settings, owner)).vault(KEPT_MESSAGES)
    rows = await owner.fetch("SELECT id, tenant, channel, sealed FROM tidings.sandbox_messages ORDER BY created_at, id")
    return [
        {"channel": row["channel"]} | json.loads(vault.open(row["sealed"], context(row["tenant"], row["id"])))
        for row in rows
    ]


async def until_waiting(owner: Owner, count: int) -> None:
    """Until so many stand behind a lock."""
    while await owner.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted") < count:
        await asyncio.sleep(0.01)
