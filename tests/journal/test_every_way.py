"""The same validation and the same result, whichever way a fact is emitted."""

from __future__ import annotations

import json
from collections.abc import Set
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from tests.journal.cases import BAD, GOOD, Refused, fact
from tests.journal.ways import WAYS, Way
from tests.support.postgres import Server
from tidings.kit.errors import NotFound, TidingsError
from tidings.spine.journal.facts import NewFact

_PLACES = [("postgres_18", name) for name in WAYS] + [("postgres_15", "SQL"), ("postgres_15", "emit_many on psycopg")]
pytestmark = pytest.mark.parametrize(
    ("any_postgres", "way"), _PLACES, indirect=True, ids=[f"{name} ({place})" for place, name in _PLACES]
)


@pytest.fixture
def way(request: pytest.FixtureRequest, any_postgres: Server) -> Way:
    return WAYS[request.param]


@pytest.fixture
async def acme(owner: asyncpg.Connection[asyncpg.Record]) -> None:
    await owner.execute("INSERT INTO tidings.tenants (id, name) VALUES ('acme', 'Acme')")


async def test_good_input_is_recorded_as_it_was_given(
    way: Way, database_url: str, owner: asyncpg.Connection[asyncpg.Record], acme: None
) -> None:
    async with way.begin(database_url) as emit:
        ids = {name: await emit(fact) for name, fact in GOOD.items()}
    recorded = {name: await _recorded(owner, ids[name], way.stamps) for name in GOOD}
    assert recorded == {name: _expected(fact, way.stamps) for name, fact in GOOD.items()}
    assert len(set(ids.values())) == len(GOOD)


async def test_each_fact_has_an_intent_that_is_due_when_it_says(
    way: Way, database_url: str, owner: asyncpg.Connection[asyncpg.Record], acme: None
) -> None:
    async with way.begin(database_url) as emit:
        ids = {name: await emit(fact) for name, fact in GOOD.items()}
    for name, given in GOOD.items():
        intent = await owner.fetchrow(
            "SELECT *, run_at = created_at AS now FROM tidings.outbox WHERE id = $1", ids[name]
        )
        assert intent is not None
        assert (intent["fact_id"], intent["kind"], intent["tenant"]) == (ids[name], given.type, given.tenant)
        assert intent["now"] if given.run_at is None else intent["run_at"] == given.run_at


async def test_bad_input_is_refused_in_the_same_words_and_nothing_is_written(
    way: Way, database_url: str, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    answers = {name: await _answer(way, database_url, given) for name, (given, _) in BAD.items()}
    expected = {name: refused for name, (_, refused) in BAD.items()}
    assert {name: _comparable(answers[name], expected[name], way) for name in BAD} == expected
    assert (
        await owner.fetchval("SELECT (SELECT count(*) FROM tidings.facts) + (SELECT count(*) FROM tidings.outbox)") == 0
    )


async def test_a_key_seen_before_gives_the_first_ones_id_and_changes_nothing(
    way: Way, database_url: str, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    async with way.begin(database_url) as emit:
        first = await emit(fact(data={"n": 1}, stream=("order", 7), key="k"))
        again = await emit(fact(data={"n": 2}, stream=("order", 7), key="k"))
        other = await emit(fact(data={"n": 3}, stream=("order", 8), key="k"))
    async with way.begin(database_url) as emit:
        later = await emit(fact(data={"n": 4}, stream=("order", 7), key="k"))
    assert first == again == later != other
    assert await owner.fetchval("SELECT array_agg(data ->> 'n' ORDER BY seq) FROM tidings.facts") == ["1", "3"]
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox") == 2


async def _answer(way: Way, url: str, given: NewFact) -> Refused | UUID:
    try:
        async with way.begin(url) as emit:
            return await emit(given)
    except TidingsError as error:
        return Refused(type(error), error.detail)


def _comparable(answer: Refused | UUID, expected: Refused, way: Way) -> Refused | UUID:
    concealed = way.conceals and expected.error is NotFound
    if isinstance(answer, Refused) and (concealed or expected.detail is None):
        return Refused(answer.error, expected.detail)
    return answer


async def _recorded(owner: asyncpg.Connection[asyncpg.Record], id: UUID, stamps: Set[str]) -> dict[str, Any]:
    row = await owner.fetchrow("SELECT * FROM tidings.facts WHERE id = $1", id)
    assert row is not None
    stream = None if row["stream_type"] is None else (row["stream_type"], row["stream_id"])
    data, metadata = json.loads(row["data"], parse_int=_number), json.loads(row["metadata"])
    rest = {name: value for name, value in metadata.items() if name not in stamps}
    return {"type": row["type"], "tenant": row["tenant"], "stream": stream, "data": data, "metadata": rest}


def _expected(given: NewFact, stamps: Set[str]) -> dict[str, Any]:
    stream = None if given.stream is None else (given.stream[0], str(given.stream[1]))
    data = dict(given.data)
    metadata = {name: value for name, value in (given.metadata or {}).items() if name not in stamps}
    return {"type": given.type, "tenant": given.tenant, "stream": stream, "data": data, "metadata": metadata}


def _number(digits: str) -> int | float:
    """PostgreSQL writes 1e30 with all its digits."""
    return float(digits) if len(digits) > 20 else int(digits)
