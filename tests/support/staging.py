"""Fixtures: an event's process on real Temporal servers and a real database. A conftest imports those it wants."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator

import asyncpg
import pytest
from temporalio.testing import WorkflowEnvironment

from tests.support.organising import Organiser, performing
from tests.support.temporal import DevServer, Stage, keyring_of_tests, skipping_time, stage_on
from tidings.kit import db
from tidings.kit.settings import Settings


@pytest.fixture
async def own_ids(owner: asyncpg.Connection[asyncpg.Record]) -> None:
    """Events of all tests share one Temporal, which takes each id once."""
    await owner.execute(f"ALTER TABLE tidings.events ALTER COLUMN id RESTART WITH {secrets.randbelow(10**12)}")


@pytest.fixture
def organiser(pool: db.Pool, own_ids: None) -> Organiser:
    return Organiser(pool)


@pytest.fixture
async def skipping() -> AsyncIterator[WorkflowEnvironment]:
    async with skipping_time(keyring_of_tests()) as environment:
        yield environment


@pytest.fixture
async def skipping_stage(
    skipping: WorkflowEnvironment, settings: Settings, pool: db.Pool, own_ids: None
) -> AsyncIterator[Stage]:
    """Where waits take no time."""
    address = skipping.client.service_client.config.target_host
    async with stage_on(address, settings, pool, keyring_of_tests(), performing(pool)) as stage:
        yield stage


@pytest.fixture
async def stage(temporal_server: DevServer, settings: Settings, pool: db.Pool, own_ids: None) -> AsyncIterator[Stage]:
    """On a development server, by the clock."""
    async with stage_on(temporal_server.address, settings, pool, keyring_of_tests(), performing(pool)) as stage:
        yield stage
