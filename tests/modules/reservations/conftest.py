"""A database with the module in it, a table laid, and two ways of doing what is due."""

from __future__ import annotations

import pytest

from tests.broker.stage import knowing_the_stream
from tests.support.dining import Table, lay
from tests.support.pipeline import Owner, sending_settings
from tests.support.transports import ByTheRelay, ThroughRabbitMQ, Work
from tidings.kit.db import Pool
from tidings.kit.settings import Settings


@pytest.fixture
def settings(database_url: str) -> Settings:
    """Everything goes to the sandbox, but for what has a provider of its own."""
    return sending_settings(database_url)


@pytest.fixture(params=["without RabbitMQ", "with RabbitMQ"])
async def work(settings: Settings, owner: Owner, request: pytest.FixtureRequest) -> Work:
    """Runs the test twice: the relay calls listeners and senders itself, or RabbitMQ tells them.

    Tests of what is told, sent, skipped, followed up and escalated do so. Those of words and languages, and of who wins
    a race in PostgreSQL, would cost half a minute more and find nothing else; they `adrain`. So does what holds a
    worker up at a lock in the middle of an escalation, which goes through no broker.
    """
    if request.param == "without RabbitMQ":
        return ByTheRelay(settings)
    url: str = request.getfixturevalue("broker_url")
    await knowing_the_stream(owner)
    return ThroughRabbitMQ(settings, url, owner)


@pytest.fixture
async def table(pool: Pool, owner: Owner) -> Table:
    return await lay(pool, owner)
