"""Migrating: beside other tables, from many processes, without the rights of a superuser, and without blocking."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from tests.support.postgres import Server, settings_for
from tidings.kit.errors import Misconfigured
from tidings.kit.settings import FactSettings
from tidings.migrations import current_revision, migrate, newest_revision

pytestmark = pytest.mark.usefixtures("any_postgres")


async def test_migrates_a_database_that_has_tables_of_its_own(server: Server) -> None:
    with server.database("template0") as url:
        connection = await asyncpg.connect(url)
        await connection.execute("CREATE TABLE outbox (id int); INSERT INTO outbox VALUES (1)")
        assert await migrate(settings_for(url)) == newest_revision()
        assert await connection.fetchval("SELECT count(*) FROM public.outbox") == 1
        assert await connection.fetchval("SELECT count(*) FROM tidings.outbox") == 0
        await connection.close()


async def test_ten_processes_may_migrate_at_once(server: Server) -> None:
    with server.database("template0") as url:
        assert set(await asyncio.gather(*(migrate(settings_for(url)) for _ in range(10)))) == {newest_revision()}


async def test_migrating_twice_changes_nothing_and_keeps_what_is_there(server: Server) -> None:
    with server.database() as url:
        connection = await asyncpg.connect(url)
        await connection.execute("SELECT tidings.emit('order.paid', '{}')")
        await migrate(settings_for(url))
        assert await connection.fetchval("SELECT count(*) FROM tidings.facts") == 1
        assert await current_revision(connection) == newest_revision()
        await connection.close()


async def test_the_limits_of_the_settings_are_applied(server: Server) -> None:
    with server.database() as url:
        await migrate(settings_for(url).model_copy(update={"facts": FactSettings(max_bytes=2048)}))
        connection = await asyncpg.connect(url)
        with pytest.raises(asyncpg.PostgresError, match="the limit is 2048") as refusal:
            await connection.execute("SELECT tidings.emit('a.b', jsonb_build_object('x', repeat('y', 3000)))")
        assert refusal.value.sqlstate == "TD413"
        await connection.close()


async def test_a_user_who_may_make_roles_can_migrate(server: Server) -> None:
    with server.database("template0") as url:
        server.admin.execute("CREATE ROLE somebody LOGIN CREATEROLE")
        try:
            name = url.rsplit("/", 1)[1]
            server.admin.execute(f"ALTER DATABASE {name} OWNER TO somebody")
            for role in ("tidings_owner", "tidings_api", "tidings_worker", "tidings_emit"):
                server.admin.execute(f"GRANT {role} TO somebody WITH ADMIN OPTION")
            assert await migrate(settings_for(url.replace("postgres@", "somebody@"))) == newest_revision()
        finally:
            server.admin.execute(f"ALTER DATABASE {name} OWNER TO postgres")
            server.admin.execute("DROP ROLE somebody")


async def test_a_user_who_may_not_is_told_what_to_do(server: Server) -> None:
    with server.database("template0") as url:
        server.admin.execute("CREATE ROLE nobody_much LOGIN")
        try:
            with pytest.raises(Misconfigured, match="tidings doctor"):
                await migrate(settings_for(url.replace("postgres@", "nobody_much@")))
        finally:
            server.admin.execute("DROP ROLE nobody_much")


async def test_a_lock_that_is_not_had_is_given_up_and_tried_again(server: Server) -> None:
    """A migration that waits for a lock holds up everybody behind it: ours lets go, so that users' commits pass."""
    with server.database() as url:
        holder, user = await asyncpg.connect(url), await asyncpg.connect(url)
        transaction = holder.transaction()
        await transaction.start()
        await holder.execute("LOCK TABLE tidings.alembic_version IN ACCESS EXCLUSIVE MODE")
        migrating = asyncio.create_task(migrate(settings_for(url)))
        await user.execute("SELECT tidings.emit('order.paid', '{}')")
        await _until(user, waiting=True)
        await _until(user, waiting=False)  # it has given up, while the lock is still held
        await transaction.rollback()
        assert await migrating == newest_revision()
        await asyncio.gather(holder.close(), user.close())


async def _until(connection: asyncpg.Connection[asyncpg.Record], *, waiting: bool) -> None:
    query = """SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
               AND application_name = 'tidings migrate' AND wait_event_type = 'Lock')"""
    while await connection.fetchval(query) is not waiting:
        await asyncio.sleep(0.01)
