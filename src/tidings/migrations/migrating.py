"""Migrating: roles first, then one Alembic history, in the schema `tidings`.

Safe from many processes at once. A lock that is not had at once is given up and tried again,
since a lock of ours that waits would make our users' commits wait behind it.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import asyncpg
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection as SqlConnection
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from tidings.kit import db
from tidings.kit.db import SCHEMA, Role
from tidings.kit.errors import Misconfigured, Unavailable
from tidings.kit.settings import Settings
from tidings.migrations.revisions import newest_revision

_ADVISORY_LOCK = 7205759404
_LOCK_TIMEOUT = timedelta(seconds=2)
_GIVE_UP_AFTER = timedelta(minutes=5)

_ROLES = """
DO $$
DECLARE
    role   text;
    taking text := CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END;
BEGIN
    FOREACH role IN ARRAY ARRAY['tidings_owner', 'tidings_api', 'tidings_worker', 'tidings_emit'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', role);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL;
            END;
        END IF;
        IF NOT pg_has_role(current_user, role, taking) THEN
            EXECUTE format('GRANT %I TO CURRENT_USER', role);
        END IF;
    END LOOP;
    IF NOT has_database_privilege('tidings_owner', current_database(), 'CREATE') THEN
        EXECUTE format('GRANT CREATE ON DATABASE %I TO tidings_owner', current_database());
    END IF;
END $$
"""


async def migrate(settings: Settings) -> str:
    """Brings the database to the newest revision, sets its limits, and returns that revision."""
    connection = await db.connect(settings.database, None, name="migrate")
    try:
        await _prepare(connection)
        await _upgrade_with_patience(settings)
        await connection.execute(
            "UPDATE tidings.limits SET max_bytes = $1, max_depth = $2 WHERE (max_bytes, max_depth) <> ($1, $2)",
            settings.facts.max_bytes,
            settings.facts.max_depth,
        )
        await connection.execute(
            "INSERT INTO tidings.tenants (id, name) VALUES ('default', 'Default') ON CONFLICT DO NOTHING"
        )
    finally:
        await connection.close()
    return newest_revision()


async def _prepare(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    """Holds the migration lock for the life of the connection, and makes roles and schema."""
    while not await connection.fetchval("SELECT pg_try_advisory_lock($1)", _ADVISORY_LOCK):
        await asyncio.sleep(0.1)
    try:
        await connection.execute(_ROLES)
        await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA} AUTHORIZATION {Role.OWNER}")
        await connection.execute(f"SET ROLE {Role.OWNER}")
    except asyncpg.InsufficientPrivilegeError as error:
        raise Misconfigured(
            f"TIDINGS_DATABASE_URL: its user may not set up Tidings ({str(error).splitlines()[0]}); "
            "run `tidings doctor` for the statements that an administrator must run"
        ) from error


async def _upgrade_with_patience(settings: Settings) -> None:
    deadline = asyncio.get_running_loop().time() + _GIVE_UP_AFTER.total_seconds()
    while True:
        try:
            return await _upgrade(settings)
        except asyncpg.LockNotAvailableError:
            if asyncio.get_running_loop().time() > deadline:
                raise Unavailable("tables stayed locked for five minutes; nothing was changed, run it again") from None
            await asyncio.sleep(1)


async def _upgrade(settings: Settings) -> None:
    url = settings.database.direct_url or settings.database.url or ""
    engine = create_async_engine(
        "postgresql+asyncpg://" + url.split("://", 1)[1],
        poolclass=NullPool,
        connect_args={
            "server_settings": {
                "role": Role.OWNER.value,
                "lock_timeout": str(int(_LOCK_TIMEOUT.total_seconds() * 1000)),
                "application_name": "tidings migrate",
            }
        },
    )
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_run_alembic)
            await connection.commit()
    except Exception as error:
        if isinstance(cause := getattr(error, "orig", error).__cause__ or error, asyncpg.LockNotAvailableError):
            raise cause from None
        raise
    finally:
        await engine.dispose()


def _run_alembic(connection: SqlConnection) -> None:
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config
