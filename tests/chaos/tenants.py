"""What is sent to whom, in scenarios of sending: tenants with people, addresses, a provider and a rule of their own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from pydantic import SecretStr

from tests.support.pipeline import Owner, add_rule
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import ADDRESSES, PROVIDERS

MASTER_KEY = "A" * 43
FACT = "parcel.arrived"
SENDING = {
    "TIDINGS_NETWORK_ALLOW": "127.0.0.1,localhost",
    "TIDINGS_DELIVERY_RETRY_BASE": "10ms",
    "TIDINGS_DELIVERY_RETRY_CAP": "100ms",
    "TIDINGS_DELIVERY_CIRCUIT_AFTER": "1000",  # but where a circuit is meant to open
}
_URLS = ("webhook", "slack")
_CHUNK = 10_000


async def add_tenant(owner: Owner, tenant: str, channel: str, addresses: Sequence[str], **provider: Any) -> UUID:
    """A tenant whose people, one for each address, are told of every fact over one channel. Returns the provider."""
    await owner.execute("INSERT INTO tidings.tenants (id, name) VALUES ($1, $1)", tenant)
    added = await add_provider(owner, tenant, channel, **provider)
    await add_people(owner, tenant, channel, addresses)
    await add_rule(owner, FACT, tenant, channels=[channel], title="Parcel {{ data.id }} is there")
    return added


async def add_people(owner: Owner, tenant: str, channel: str, addresses: Sequence[str]) -> None:
    """One for each address."""
    for begin in range(0, len(addresses), _CHUNK):
        await _add_some(owner, tenant, channel, addresses[begin : begin + _CHUNK])


async def _add_some(owner: Owner, tenant: str, channel: str, addresses: Sequence[str]) -> None:
    kind = "phone" if channel == "sms" else channel
    vault = (await unlocked(_keys(), owner)).vault(ADDRESSES)
    people = [(uuid4(), address) for address in addresses]

    def sealed(address: str) -> bytes | None:
        opened = {"url": address, "secret": "whsec_" + "c2VjcmV0" * 4}
        return vault.seal(json.dumps(opened).encode(), tenant) if channel in _URLS else None

    await owner.copy_records_to_table(
        "people",
        schema_name="tidings",
        columns=["id", "tenant", "name"],
        records=[(person, tenant, "A person") for person, _ in people],
    )
    await owner.copy_records_to_table(
        "addresses",
        schema_name="tidings",
        columns=["tenant", "person_id", "kind", "value", "fingerprint", "sealed"],
        records=[(tenant, person, kind, address, address, sealed(address)) for person, address in people],
    )


async def add_provider(owner: Owner, tenant: str, channel: str, **columns: Any) -> UUID:
    config = columns.pop("config", None)
    vault = (await unlocked(_keys(), owner)).vault(PROVIDERS)
    sealed = None if config is None else vault.seal(json.dumps(config).encode(), tenant)
    given = {"tenant": tenant, "channel": channel, "type": channel, "name": channel, "config": sealed} | columns
    places = ", ".join(f"${n}" for n in range(1, len(given) + 1))
    id: UUID = await owner.fetchval(  # noqa: A001
        f"INSERT INTO tidings.providers ({', '.join(given)}) VALUES ({places}) RETURNING id", *given.values()
    )
    return id


def _keys() -> Settings:
    return Settings(master_key=SecretStr(MASTER_KEY))
