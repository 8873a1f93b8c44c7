"""Many emit at once: PostgreSQL settles who was first, and nobody deadlocks."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import asyncpg
import pytest

import tidings
from tests.support.postgres import Server
from tidings import NewFact
from tidings.kit import db

pytestmark = pytest.mark.usefixtures("any_postgres")


@pytest.fixture
async def callers(database_url: str) -> AsyncIterator[db.Pool]:
    """Twenty connections."""
    async with asyncpg.create_pool(database_url, min_size=20, max_size=20) as pool:
        yield pool


async def test_a_thousand_emits_with_one_key_leave_one_fact(callers: db.Pool) -> None:
    async def emit() -> object:
        async with callers.acquire() as connection, connection.transaction():
            return await tidings.aemit(connection, "order.paid", {"n": 1}, key="order.paid:7")

    assert len(set(await asyncio.gather(*(emit() for _ in range(1000))))) == 1
    assert await callers.fetchval("SELECT count(*) FROM tidings.facts") == 1
    assert await callers.fetchval("SELECT count(*) FROM tidings.outbox") == 1


async def test_the_same_key_in_two_tenants_leaves_two(callers: db.Pool) -> None:
    await callers.execute("INSERT INTO tidings.tenants (id, name) VALUES ('acme', 'Acme')")

    async def emit(tenant: str) -> object:
        async with callers.acquire() as connection, connection.transaction():
            return await tidings.aemit(connection, "order.paid", tenant=tenant, key="order.paid:7")

    assert len(set(await asyncio.gather(*(emit(tenant) for tenant in ("default", "acme") * 50)))) == 2
    assert await callers.fetchval("SELECT array_agg(tenant ORDER BY tenant) FROM tidings.facts") == ["acme", "default"]


async def test_two_batches_in_opposite_orders_do_not_deadlock(callers: db.Pool) -> None:
    async def emit(facts: list[NewFact]) -> list[object]:
        async with callers.acquire() as connection, connection.transaction():
            return list(await tidings.aemit_many(connection, facts))

    for turn in range(40):
        facts = [NewFact("order.paid", key=f"{turn}:{n}") for n in range(60)]
        there, back = await asyncio.gather(emit(facts), emit(facts[::-1]))
        assert there == back[::-1]
    assert await callers.fetchval("SELECT count(*) FROM tidings.facts") == 40 * 60


async def test_batches_with_ordered_streams_do_not_deadlock_either(callers: db.Pool) -> None:
    await callers.execute("INSERT INTO tidings.ordered_streams VALUES ('order')")

    async def emit(facts: list[NewFact]) -> None:
        async with callers.acquire() as connection, connection.transaction():
            await tidings.aemit_many(connection, random.sample(facts, len(facts)))

    for turn in range(20):
        ordered = [NewFact("order.paid", stream=("order", n), key=f"{turn}:{n}") for n in range(20)]
        others = [NewFact("mail.sent", stream=("mail", n), key=f"{turn}:{n}") for n in range(20)]
        await asyncio.gather(*(emit(ordered + others) for _ in range(3)))
    assert await callers.fetchval("SELECT count(*) FROM tidings.facts") == 20 * 40


async def test_an_ordered_stream_is_numbered_without_gaps_or_doubles(callers: db.Pool) -> None:
    await callers.execute("INSERT INTO tidings.ordered_streams VALUES ('order')")

    async def emit(n: int) -> None:
        async with callers.acquire() as connection:
            transaction = connection.transaction()
            await transaction.start()
            facts = [NewFact("order.changed", {"n": n}, ("order", stream), key=f"k:{n // 2}") for stream in "ab"]
            await tidings.aemit_many(connection, facts)
            await (transaction.rollback() if n % 5 == 0 else transaction.commit())

    await asyncio.gather(*(emit(n) for n in range(200)))
    rows = await callers.fetch(
        "SELECT stream_id, array_agg(stream_version ORDER BY seq) AS versions FROM tidings.facts GROUP BY 1"
    )
    for row in rows:
        assert row["versions"] == list(range(1, len(row["versions"]) + 1))
    assert {row["stream_id"]: len(row["versions"]) for row in rows} == {"a": 100, "b": 100}
    assert await callers.fetchval(
        "SELECT bool_and(o.stream_version = f.stream_version) FROM tidings.outbox o JOIN tidings.facts f USING (id)"
    )


async def test_a_stream_that_is_not_declared_is_not_numbered(callers: db.Pool) -> None:
    async with callers.acquire() as connection, connection.transaction():
        await tidings.aemit(connection, "order.paid", stream=("order", 7))
    assert await callers.fetchval("SELECT stream_version FROM tidings.facts") is None


async def test_a_concurrent_duplicate_under_repeatable_read_raises_40001(callers: db.Pool) -> None:
    async with callers.acquire() as first, callers.acquire() as second:
        late = second.transaction(isolation="repeatable_read")
        await late.start()
        await second.fetchval("SELECT 1 FROM tidings.facts")
        async with first.transaction():
            await tidings.aemit(first, "order.paid", key="k")
        with pytest.raises(asyncpg.SerializationError):
            await tidings.aemit(second, "order.paid", key="k")
        await late.rollback()
        async with second.transaction(isolation="repeatable_read"):
            await tidings.aemit(second, "order.paid", key="k")
    assert await callers.fetchval("SELECT count(*) FROM tidings.facts") == 1


async def test_a_batch_gives_ids_in_the_order_given_and_one_id_for_one_key(callers: db.Pool, server: Server) -> None:
    facts = [NewFact("order.paid", {"n": n}, key=None if n % 3 else f"k:{n // 6}") for n in range(3000)]
    async with callers.acquire() as connection, connection.transaction():
        ids = await tidings.aemit_many(connection, facts)
        assert await tidings.aemit_many(connection, []) == []
    assert ids[0] == ids[3] != ids[6]
    rows = await callers.fetch("SELECT id, (data ->> 'n')::int AS n FROM tidings.facts")
    assert {row["id"]: row["n"] for row in rows} == {given: n for n, given in reversed(list(enumerate(ids)))}
