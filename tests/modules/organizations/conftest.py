"""Organisations on a real database and real Temporal servers."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from temporalio.testing import WorkflowEnvironment

from tests.modules.organizations.dns.servers.cloudflare import Cloudflare, cloudflare
from tests.support.founding import BASE, Founder, Saga, activities, performing
from tests.support.stepping import Stepper
from tests.support.temporal import keyring_of_tests, skipping_time, stage_on
from tidings.kit import db
from tidings.kit.settings import Settings


@pytest.fixture
def founder(pool: db.Pool) -> Founder:
    return Founder(pool)


@pytest.fixture
async def provider() -> AsyncIterator[Cloudflare]:
    """Cloudflare's API on loopback, with one zone."""
    async with cloudflare((BASE,)) as server:
        yield server


@pytest.fixture
async def stepper(pool: db.Pool, provider: Cloudflare) -> AsyncIterator[Stepper]:
    """Organisations whose records are there."""
    from tests.modules.organizations.dns.cases import reaching  # who needs no SDK does not pay for its import

    async with reaching(provider) as dns:
        yield Stepper(Founder(pool, dns))


@pytest.fixture
async def skipping() -> AsyncIterator[WorkflowEnvironment]:
    async with skipping_time(keyring_of_tests()) as environment:
        yield environment


@pytest.fixture
async def saga(
    skipping: WorkflowEnvironment, settings: Settings, pool: db.Pool, founder: Founder
) -> AsyncIterator[Saga]:
    """Where waits take no time."""
    address = skipping.client.service_client.config.target_host
    does = performing(activities(pool, keyring_of_tests(), founder.provider))
    async with stage_on(address, settings, pool, keyring_of_tests(), does) as stage:
        yield Saga(stage, skipping, founder)
