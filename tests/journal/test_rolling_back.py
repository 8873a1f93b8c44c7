"""What is rolled back never existed, in every way of emitting that has a transaction of the caller's."""

from __future__ import annotations

from contextlib import suppress

import asyncpg
import pytest

from tests.journal.cases import fact
from tests.journal.ways import WAYS, Way

_TRANSACTIONAL = [name for name, way in WAYS.items() if way.transactional]


@pytest.fixture(params=_TRANSACTIONAL)
def way(request: pytest.FixtureRequest) -> Way:
    return WAYS[request.param]


async def test_what_is_rolled_back_never_existed(
    way: Way, database_url: str, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    with suppress(ZeroDivisionError):
        async with way.begin(database_url) as emit:
            await emit(fact(key="k"))
            await emit(fact(stream=("order", 1)))
            raise ZeroDivisionError
    assert (
        await owner.fetchval("SELECT (SELECT count(*) FROM tidings.facts) + (SELECT count(*) FROM tidings.outbox)") == 0
    )
