"""Facts do not change, each role can do its own and no more, and tenants do not see each other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TypeAlias

import asyncpg
import pytest

import tidings
from tidings import Forbidden
from tidings.kit import db

pytestmark = pytest.mark.usefixtures("any_postgres")

Act: TypeAlias = Callable[[str], AbstractAsyncContextManager[db.Connection]]
CONTRACT = {"emit", "emit_many", "schedule", "schedule_many", "move", "cancel"}
ROLES = ["tidings_api", "tidings_worker", "tidings_emit"]


@pytest.fixture
def acting_as(database_url: str) -> Act:
    @asynccontextmanager
    async def act(role: str) -> AsyncIterator[db.Connection]:
        connection = await asyncpg.connect(database_url, server_settings={"role": role})
        try:
            yield connection
        finally:
            await connection.close()

    return act


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    "statement",
    ["UPDATE tidings.facts SET type = 'x.y'", "DELETE FROM tidings.facts", "TRUNCATE tidings.facts"],
)
async def test_no_role_may_change_a_fact(acting_as: Act, role: str, statement: str) -> None:
    async with acting_as(role) as connection:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)


@pytest.mark.parametrize("role", ROLES)
async def test_no_role_may_write_a_fact_past_the_functions(acting_as: Act, role: str) -> None:
    statement = """INSERT INTO tidings.facts (id, tenant, type, data, metadata)
        VALUES (gen_random_uuid(), 'default', 'event.created', '{}', '{}')"""
    async with acting_as(role) as connection:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)


@pytest.mark.parametrize("role", ["tidings_worker", "tidings_emit"])
async def test_who_works_or_emits_may_call_the_contract(
    acting_as: Act, role: str, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    async with acting_as(role) as connection, connection.transaction():
        await tidings.aemit(connection, "order.paid", key="k")
        await tidings.aschedule(connection, "reminder.send", key="k")
        await tidings.acancel(connection, "reminder.send", key="k")
    assert await owner.fetchval("SELECT count(*) FROM tidings.facts") == 1


async def test_the_emitting_role_can_read_no_table(acting_as: Act, owner: asyncpg.Connection[asyncpg.Record]) -> None:
    tables = await owner.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'tidings'")
    async with acting_as("tidings_emit") as connection:
        for table in tables:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(f"SELECT FROM tidings.{table['tablename']}")


async def test_the_emitting_role_can_call_the_contract_and_nothing_else(
    owner: asyncpg.Connection[asyncpg.Record],
) -> None:
    rows = await owner.fetch("""SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'tidings'::regnamespace
        AND has_function_privilege('tidings_emit', oid, 'EXECUTE')""")
    assert {row["proname"] for row in rows} == CONTRACT


async def test_the_api_can_call_nothing_that_acts_for_a_tenant_of_the_callers_choice(
    acting_as: Act, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    """`emit_once` keeps to the tenant that the transaction has set, if it has; the others are for signing in."""
    rows = await owner.fetch("""SELECT proname FROM pg_proc WHERE pronamespace = 'tidings'::regnamespace
        AND has_function_privilege('tidings_api', oid, 'EXECUTE') AND proargnames && '{tenant,tenants}'
        AND prosecdef""")
    signing_in = {"admit", "still_admitted", "open_session", "sign_in_candidate"}
    says_whose = {"receiving_provider", "calendar_of", "invitation_of"}
    assert {row["proname"] for row in rows} == {"emit_once", *signing_in, *says_whose}
    await owner.execute("INSERT INTO tidings.tenants (id, name) VALUES ('acme', 'Acme')")
    emit = """SELECT FROM tidings.emit_once($1, 'user:7', '{"type": "order.paid"}', NULL, '{}', NULL, NULL, NULL)"""
    async with acting_as("tidings_api") as api:
        async with db.as_tenant(api, "default"):
            await api.execute(emit, "default")
        with pytest.raises(asyncpg.PostgresError, match="there is no such tenant") as refusal:
            async with db.as_tenant(api, "default"):
                await api.execute(emit, "acme")
        assert refusal.value.sqlstate == "TD404"
        await api.execute(emit, "acme")
    assert await owner.fetchval("SELECT array_agg(tenant ORDER BY seq) FROM tidings.facts") == ["default", "acme"]


async def test_nobody_else_can_call_anything(owner: asyncpg.Connection[asyncpg.Record]) -> None:
    await owner.execute("CREATE ROLE stranger")
    try:
        assert not await owner.fetch("""SELECT proname FROM pg_proc WHERE pronamespace = 'tidings'::regnamespace
            AND has_function_privilege('stranger', oid, 'EXECUTE')""")
    finally:
        await owner.execute("DROP ROLE stranger")


async def test_functions_with_their_owners_rights_have_a_pinned_search_path(
    owner: asyncpg.Connection[asyncpg.Record],
) -> None:
    """`pg_temp` is named, and last: a path that leaves it out is searched there first."""
    loose = await owner.fetch("""SELECT proname FROM pg_proc WHERE pronamespace = 'tidings'::regnamespace
        AND prosecdef AND NOT coalesce(proconfig, '{}') @> ARRAY['search_path=pg_catalog, pg_temp']""")
    assert not loose


_SHADOW = """
CREATE FUNCTION pg_temp.seen(value pg_catalog.text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'tidings_owner' THEN
        RAISE EXCEPTION 'this runs as the owner';
    END IF;
    RETURN true;
END $$;
CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (pg_temp.seen(VALUE));
"""


@pytest.mark.parametrize(
    "call",
    [
        "emit('a.b')",
        "emit_many(ARRAY['a.b'::pg_catalog.text], ARRAY['{}'::jsonb])",
        "schedule('a.b', key => 'k')",
        "move('a.b', key => 'k', shift => '1 hour')",
        "cancel('a.b', prefix => 'k')",
    ],
)
async def test_a_callers_own_types_are_not_used_with_the_owners_rights(acting_as: Act, call: str) -> None:
    """A temporary domain named like a type has a check of the caller's making."""
    async with acting_as("tidings_emit") as connection:
        await connection.execute(_SHADOW)
        await connection.execute(f"SELECT tidings.{call}")


async def test_every_table_has_row_level_security(owner: asyncpg.Connection[asyncpg.Record]) -> None:
    without = await owner.fetch("""SELECT relname FROM pg_class WHERE relnamespace = 'tidings'::regnamespace
        AND relkind = 'r' AND NOT relrowsecurity AND relname <> 'alembic_version'""")
    assert not without


async def test_the_api_sees_the_tenant_that_it_set_and_no_other(
    acting_as: Act, pool: db.Pool, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    await owner.execute("INSERT INTO tidings.tenants (id, name) VALUES ('acme', 'Acme')")
    for tenant in ("default", "acme"):
        await tidings.aemit(owner, "order.paid", {"of": tenant}, tenant=tenant, own_transaction=True)
    seen = "SELECT (SELECT array_agg(tenant) FROM tidings.facts) || (SELECT array_agg(tenant) FROM tidings.outbox)"
    async with acting_as("tidings_api") as api:
        assert await api.fetchval(seen) is None
        async with api.transaction():
            await api.execute("SELECT set_config('tidings.tenant', 'acme', true)")
            assert await api.fetchval(seen) == ["acme", "acme"]
            assert await api.execute("UPDATE tidings.outbox SET attempts = 9 WHERE tenant = 'default'") == "UPDATE 0"
            assert await api.fetchval("SELECT array_agg(id) FROM tidings.tenants") == ["acme"]
        assert await api.fetchval(seen) is None
    assert await pool.fetchval("SELECT count(*) FROM tidings.facts") == 2


async def test_a_modules_types_are_its_own(owner: asyncpg.Connection[asyncpg.Record]) -> None:
    statement = """SELECT tidings.emit_as($1, ARRAY['event.created'], ARRAY['{}'::jsonb], NULL, NULL, ARRAY['default'],
        NULL, NULL, NULL)"""
    assert await owner.fetchval(statement, "events")
    with pytest.raises(asyncpg.PostgresError, match="is reserved"):
        await owner.fetchval(statement, "reports")
    with pytest.raises(Forbidden, match=r"event\.created is reserved"):
        await tidings.aemit(owner, "event.created", own_transaction=True)
