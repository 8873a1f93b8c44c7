"""What a handler emits names the fact that it handles, and a chain of causes has an end."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg
import pytest

import tidings
from tidings import NewFact, ValidationFailed
from tidings.spine.journal.causes import CURRENT

DEEPEST = 16


@dataclass(frozen=True)
class Handled:
    tenant: str
    fact_id: UUID | None


@contextmanager
def handling(fact_id: UUID | None, tenant: str = "default") -> Iterator[None]:
    token = CURRENT.set(Handled(tenant, fact_id))
    try:
        yield
    finally:
        CURRENT.reset(token)


@pytest.fixture
async def connection(owner: asyncpg.Connection[asyncpg.Record]) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    async with owner.transaction():
        yield owner


async def _metadata(connection: asyncpg.Connection[asyncpg.Record], id: UUID) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        await connection.fetchval("SELECT metadata FROM tidings.facts WHERE id = $1", id)
    )
    return found


async def test_a_handlers_facts_name_their_cause(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    first = await tidings.aemit(connection, "order.paid")
    with handling(first):
        second = await tidings.aemit(connection, "order.shipped", metadata={"actor": "user:7"})
        (third,) = await tidings.aemit_many(connection, [NewFact("order.counted")])
    cause = {"causation_id": str(first), "correlation_id": str(first), "depth": 1}
    assert await _metadata(connection, second) == {**cause, "actor": "user:7"}
    assert await _metadata(connection, third) == cause


async def test_a_cause_that_was_given_stands(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    first, other = [await tidings.aemit(connection, "order.paid") for _ in range(2)]
    with handling(first):
        second = await tidings.aemit(connection, "order.shipped", metadata={"causation_id": str(other)})
    assert (await _metadata(connection, second))["causation_id"] == str(other)


async def test_a_cause_does_not_cross_tenants(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    await connection.execute("INSERT INTO tidings.tenants (id, name) VALUES ('acme', 'Acme')")
    first = await tidings.aemit(connection, "order.paid", tenant="acme")
    with handling(first, "acme"):
        second = await tidings.aemit(connection, "order.shipped")
    assert await _metadata(connection, second) == {}
    with pytest.raises(ValidationFailed, match="names no fact of this tenant"):
        await tidings.aemit(connection, "order.shipped", metadata={"causation_id": str(first)})


async def test_an_intent_without_a_fact_causes_nothing(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    with handling(None):
        assert await _metadata(connection, await tidings.aemit(connection, "order.paid")) == {}


async def test_a_chain_of_causes_keeps_its_correlation_and_has_an_end(
    connection: asyncpg.Connection[asyncpg.Record],
) -> None:
    fact = await tidings.aemit(connection, "order.paid", metadata={"correlation_id": "c-1"})
    for depth in range(1, DEEPEST + 1):
        with handling(fact):
            fact = await tidings.aemit(connection, "order.paid")
        assert (await _metadata(connection, fact))["depth"] == depth
    assert (await _metadata(connection, fact))["correlation_id"] == "c-1"
    with handling(fact), pytest.raises(ValidationFailed, match="do two handlers feed each other"):
        await tidings.aemit(connection, "order.paid")


@pytest.mark.parametrize("depth", [-1000, "deep", None])
async def test_nobody_can_say_how_deep_they_are(connection: asyncpg.Connection[asyncpg.Record], depth: object) -> None:
    first = await tidings.aemit(connection, "order.paid", metadata={"depth": depth})
    assert await _metadata(connection, first) == {}
    with handling(first):
        second = await tidings.aemit(connection, "order.paid", metadata={"depth": depth})
    assert (await _metadata(connection, second))["depth"] == 1
