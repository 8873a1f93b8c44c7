"""`tidings.emit_many` in SQL: what is left out is as in `emit`, and arrays go together."""

from __future__ import annotations

import asyncpg
import pytest

pytestmark = pytest.mark.usefixtures("any_postgres")

_RECORDED = """
SELECT type, data ->> 'n' AS n, stream_type, stream_id, tenant, metadata::text AS metadata, o.run_at = now() AS now
FROM tidings.facts f JOIN tidings.outbox o USING (id, tenant) ORDER BY n
"""
_TWO = """ARRAY['order.paid', 'lead.created'], ARRAY['{"n": 1}', '{"n": 2}']::jsonb[]"""


@pytest.mark.parametrize(
    "arguments",
    [
        _TWO,
        f"{_TWO}, NULL, NULL, NULL, NULL, NULL, NULL",
        f"""{_TWO}, stream_types => '{{NULL, NULL}}', stream_ids => '{{NULL, NULL}}', tenants => '{{NULL, default}}',
            keys => '{{NULL, NULL}}', run_ats => '{{NULL, NULL}}', metadata => '{{NULL, NULL}}'""",
    ],
    ids=["left out", "null", "of nulls"],
)
async def test_what_is_left_out_is_as_in_emit(owner: asyncpg.Connection[asyncpg.Record], arguments: str) -> None:
    async with owner.transaction():
        await owner.execute("SELECT tidings.emit('order.paid', '{\"n\": 1}')")
        await owner.execute("SELECT tidings.emit('lead.created', '{\"n\": 2}')")
        one_by_one = await owner.fetch(_RECORDED)
        await owner.execute("TRUNCATE tidings.facts, tidings.outbox")
        ids = await owner.fetchval(f"SELECT tidings.emit_many({arguments})")
        assert len(ids) == 2
        assert await owner.fetch(_RECORDED) == one_by_one


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("emit_many(ARRAY['a.b', 'a.b'], ARRAY['{}'::jsonb])", "data: has 1 elements, and types has 2"),
        ("emit_many(ARRAY['a.b'], NULL)", "data: has 0 elements, and types has 1"),
        ("emit_many(ARRAY['a.b'], ARRAY['{}'::jsonb], keys => '{a, b}')", "keys: has 2 elements, and types has 1"),
        ("emit_many(ARRAY['a.b'], ARRAY['{}'::jsonb], tenants => '{}')", "tenants: has 0 elements, and types has 1"),
        ("emit_many(NULL, ARRAY['{}'::jsonb])", "data: has 1 elements, and types has 0"),
        ("schedule_many(ARRAY['a.b'], ARRAY[]::jsonb[])", "payloads: has 0 elements, and kinds has 1"),
        (
            "schedule_many(ARRAY['a.b'], ARRAY['{}'::jsonb], run_ats => '{}')",
            "run_ats: has 0 elements, and kinds has 1",
        ),
    ],
)
async def test_arrays_of_differing_lengths_are_refused(
    owner: asyncpg.Connection[asyncpg.Record], call: str, message: str
) -> None:
    with pytest.raises(asyncpg.PostgresError, match=message) as refusal:
        await owner.execute(f"SELECT tidings.{call}")
    assert refusal.value.sqlstate == "TD422"
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox") == 0


@pytest.mark.parametrize("call", ["emit_many(NULL, NULL)", "emit_many('{}', '{}')", "schedule_many('{}', '{}')"])
async def test_nothing_to_record_is_fine(owner: asyncpg.Connection[asyncpg.Record], call: str) -> None:
    assert not await owner.fetchval(f"SELECT tidings.{call}")
