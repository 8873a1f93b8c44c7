"""Real PostgreSQL for every test that asks for it: 18 from the wheel, and 15 from Debian where a test wants both.

A test gets a database of its own (`database_url`), copied from one migrated template. With `any_postgres` among its
fixtures, or `pytest.mark.usefixtures("any_postgres")`, it runs on both servers and all other fixtures follow.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

import asyncpg
import pytest

from tests.support.postgres import DEBIANS_15, Server, debians_15, embedded_18, settings_for
from tidings.kit import db
from tidings.kit.settings import Settings

if TYPE_CHECKING:
    from tests.support.rabbitmq import RabbitMQ
    from tests.support.temporal import DevServer


@pytest.fixture(scope="session")
def postgres_18() -> Iterator[Server]:
    with embedded_18() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_15() -> Iterator[Server]:
    if not DEBIANS_15.exists():
        missing = "PostgreSQL 15 is missing; install it with: apt-get install postgresql-15"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with debians_15() as server:
        yield server


@pytest.fixture(scope="session", params=["postgres_18", "postgres_15"])
def any_postgres(request: pytest.FixtureRequest) -> Server:
    """Runs the test on both servers."""
    server: Server = request.getfixturevalue(request.param)
    return server


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Server:
    """The server of this test."""
    name = "any_postgres" if "any_postgres" in request.fixturenames else "postgres_18"
    chosen: Server = request.getfixturevalue(name)
    return chosen


@pytest.fixture
def database_url(server: Server) -> Iterator[str]:
    """A migrated database of this test's own; its user is a superuser."""
    with server.database() as url:
        yield url


@pytest.fixture
def settings(database_url: str) -> Settings:
    return settings_for(database_url)


@pytest.fixture
async def pool(settings: Settings) -> AsyncIterator[db.Pool]:
    """Connections that act as the worker."""
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="test", size=20)
    yield pool
    await pool.close()


@pytest.fixture
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A plain connection of the superuser, in no transaction."""
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


@pytest.fixture(scope="session")
def temporal_server() -> Iterator[DevServer]:
    """Temporal's development server, for all tests that ask for one: ids of processes must be their own."""
    from tests.support.temporal import dev_server  # who needs no Temporal does not pay for its import

    with dev_server() as server:
        yield server


@pytest.fixture(scope="session")
def node() -> Iterator[RabbitMQ]:
    """A RabbitMQ for all tests of a process; who stops one has one of its own."""
    from tests.support.rabbitmq import MISSING, is_installed, rabbitmq

    if not is_installed():
        pytest.fail(MISSING) if os.environ.get("CI") else pytest.skip(MISSING)
    with rabbitmq() as node:
        yield node


@pytest.fixture
def broker_url(node: RabbitMQ) -> str:
    """A vhost of this test's own."""
    return node.new_url()
