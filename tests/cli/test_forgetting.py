"""`tidings outbox forget`: a handler or a listener that is gone leaves nothing behind that waits for ever."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from tests.cli.conftest import Tidings
from tests.support.pipeline import Owner, emit
from tidings.spine.notify.listeners import Listener
from tidings.spine.notify.preparing import declare

LISTENER = "notice.listener.gone"


async def nothing(fact: object) -> None:
    """Whom it told is forgotten."""


async def declared(owner: Owner) -> None:
    await declare(owner, ["order.paid"], [Listener("gone", ("order.*",), nothing)])


async def kinds(owner: Owner, table: str = "outbox") -> list[str]:
    rows = await owner.fetch(f"SELECT kind FROM tidings.{table} WHERE kind NOT LIKE 'tidings.%' ORDER BY kind")
    return [row["kind"] for row in rows]


async def test_what_waits_is_cancelled_in_every_tenant_and_facts_cause_no_more_of_it(
    tidings: Tidings, owner: Owner
) -> None:
    await owner.execute("INSERT INTO tidings.tenants (id, name) VALUES ('acme', 'Acme')")
    await declared(owner)
    for tenant in ("default", "acme"):
        await emit(owner, tenant=tenant)
    assert await kinds(owner) == [LISTENER] * 2 + ["order.paid"] * 2
    done = await asyncio.to_thread(tidings, "outbox", "forget", LISTENER, "--yes", "--json")
    assert done.data == {"cancelled": 2}
    await emit(owner)
    assert await kinds(owner) == ["order.paid"] * 3
    assert await kinds(owner, "outbox_finished") == [LISTENER] * 2
    said = await owner.fetchval("SELECT DISTINCT last_error FROM tidings.outbox_finished")
    assert said == "its kind was forgotten"


async def test_it_comes_back_when_a_worker_declares_it_again(tidings: Tidings, owner: Owner) -> None:
    await declared(owner)
    assert (await asyncio.to_thread(tidings, "outbox", "forget", LISTENER, "--yes")).code == 0
    await declared(owner)
    await emit(owner)
    for kind in ("notice.listener.reservations.admin", "notice.listener.matters.follow_up", "broker.publish"):
        assert (await asyncio.to_thread(tidings, "outbox", "forget", kind, "--yes")).code == 2
    assert LISTENER in await kinds(owner)


async def test_a_key_that_was_taken_by_what_is_forgotten_is_free_again(tidings: Tidings, owner: Owner) -> None:
    schedule = "SELECT tidings.schedule('shop.close', '{}'::jsonb, key => 'today')"
    await owner.execute(schedule)
    done = await asyncio.to_thread(tidings, "outbox", "forget", "shop.close", "--yes", "--json")
    assert done.data == {"cancelled": 1}
    await owner.execute(schedule)
    assert await kinds(owner) == ["shop.close"]


async def test_what_is_served_or_ours_is_not_forgotten_nor_anything_by_mistake(tidings: Tidings, owner: Owner) -> None:
    await declared(owner)
    await emit(owner)
    assert (await asyncio.to_thread(tidings, "outbox", "forget", LISTENER)).code == 2
    await owner.execute(
        "INSERT INTO tidings.workers (id, name, kinds) VALUES ($1, 'a-worker', $2)", uuid4(), [LISTENER]
    )
    refused = await asyncio.to_thread(tidings, "outbox", "forget", LISTENER, "--yes")
    assert (refused.code != 0, "served by a-worker" in refused.err) == (True, True)
    ours = await asyncio.to_thread(tidings, "outbox", "forget", "notice.fan_out", "--yes")
    assert (ours.code, "is ours" in ours.err) == (2, True)
    assert LISTENER in await kinds(owner)
