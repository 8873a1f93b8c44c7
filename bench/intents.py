"""Writes facts with their intents, many at a time, as `emit_many` does."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

CHUNK = 1_000
_EMIT_MANY = """
SELECT cardinality(tidings.emit_many($1::text[], $2::text[]::jsonb[], array_fill(NULL::text, ARRAY[cardinality($1)]),
    array_fill(NULL::text, ARRAY[cardinality($1)]), $3::text[], array_fill(NULL::text, ARRAY[cardinality($1)]),
    array_fill(NULL::timestamptz, ARRAY[cardinality($1)]), array_fill('{}'::jsonb, ARRAY[cardinality($1)])))
"""


async def write_intents(
    connection: asyncpg.Connection[asyncpg.Record], kind: str, count: int, tenants: Sequence[str] = ("default",)
) -> None:
    """`count` facts of this type, due now, each tenant in turn."""
    for start in range(0, count, CHUNK):
        numbers = range(start, min(start + CHUNK, count))
        data = [f'{{"n": {n}}}' for n in numbers]
        owners = [tenants[n % len(tenants)] for n in numbers]
        await connection.execute(_EMIT_MANY, [kind] * len(data), data, owners)


async def add_tenants(connection: asyncpg.Connection[asyncpg.Record], count: int) -> list[str]:
    names = [f"tenant-{n:04}" for n in range(count)]
    await connection.execute(
        "INSERT INTO tidings.tenants (id, name) SELECT n, n FROM unnest($1::text[]) n ON CONFLICT DO NOTHING", names
    )
    return names
