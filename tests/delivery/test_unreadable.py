"""Deliveries whose secrets cannot be read: they wait, at nobody's cost, and go out when the key is there."""

from __future__ import annotations

import pytest

from tests.delivery.servers import endpoint
from tests.delivery.test_sending import attempts, due_now, finished, waiting, webhook_world
from tests.support.pipeline import Owner, add_person, add_provider, add_rule, drain, emit
from tests.worker.processes import worker
from tidings.kit.crypto import new_key
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.master_keys import MasterKeys

HIDE = "UPDATE tidings.data_keys SET wrapped_by = 'elsewhere' WHERE id = $1"
BACK = "UPDATE tidings.data_keys SET wrapped_by = $1 WHERE wrapped_by = 'elsewhere'"


async def lose_key(owner: Owner, settings: Settings) -> bytes:
    """The data key that sealed everything so far is not here; there is another. Returns the id of the master key."""
    ring = await unlocked(settings, owner)
    async with owner.transaction():
        await MasterKeys(owner, ring).renew()
        await owner.execute("UPDATE tidings.data_keys SET seals_from = now()")
    await owner.execute(HIDE, ring.data.sealing[0].id)
    return ring.master.id


async def test_an_address_that_cannot_be_read_costs_nothing_and_waits(owner: Owner, sending: Settings) -> None:
    async with endpoint() as server:
        await webhook_world(owner, sending, server.url)
        master = await lose_key(owner, sending)
        await emit(owner)
        for _ in range(7):
            await drain(sending)
            await due_now(owner)
        assert [(status, tried) for status, tried, _ in await waiting(owner)] == [("pending", 0)]
        ((outcome, reason), *_) = await attempts(owner)
        assert (outcome, "cannot be read with the keys that are here" in (reason or "")) == ("deferred", True)
        assert await owner.fetchval("SELECT max(failures) FROM tidings.providers") == 0
        await owner.execute(BACK, master)
        await drain(sending)
    assert len(server.received) == 1
    assert await finished(owner) == [("sent", None)]


async def test_so_does_one_whose_provider_cannot_be_read(owner: Owner, sending: Settings) -> None:
    await add_person(owner, phone="+390612345678")
    await add_provider(owner, sending, "sms", "twilio", config={"accountSid": "canary"})
    await add_rule(owner, channels=["sms"])
    await lose_key(owner, sending)
    await emit(owner)
    for _ in range(7):
        await drain(sending)
        await due_now(owner)
    assert [(status, tried) for status, tried, _ in await waiting(owner)] == [("pending", 0)]


@pytest.mark.timeout(120)
async def test_a_worker_with_another_master_key_refuses_and_what_is_due_stays(owner: Owner, sending: Settings) -> None:
    await unlocked(sending, owner)
    await emit(owner)
    assert sending.database.url
    async with worker(sending.database.url, environment={"TIDINGS_MASTER_KEY": new_key().text()}) as process:
        assert await process.wait() == 2
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox WHERE status = 'pending' AND attempts = 0") > 0


async def test_so_does_one_whose_provider_is_of_a_type_that_only_a_newer_worker_knows(
    owner: Owner, sending: Settings
) -> None:
    await add_person(owner, phone="+390612345678")
    provider = await add_provider(owner, sending, "sms", "pigeon", config={})
    await add_rule(owner, channels=["sms"])
    await emit(owner)
    for _ in range(7):
        await drain(sending)
        await due_now(owner)
    assert [(status, tried) for status, tried, _ in await waiting(owner)] == [("pending", 0)]
    assert (await attempts(owner))[0] == ("deferred", "there is no provider type 'pigeon' here")
    assert await owner.fetchval("SELECT failures FROM tidings.providers WHERE id = $1", provider) == 0
