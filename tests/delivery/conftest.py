"""Settings of a worker that sends to the sandbox; a post office, and providers of mail to talk to."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.delivery import post_office
from tests.delivery.post_office import Mailer, PostOffice
from tests.outbox.engines import Owner
from tests.support.pipeline import sending_settings
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked


@pytest.fixture
def sending(database_url: str) -> Settings:
    return sending_settings(database_url)


@pytest.fixture
async def office(settings: Settings, pool: db.Pool, owner: Owner) -> PostOffice:
    sending = post_office.sending_settings(settings)
    return PostOffice(sending, pool, owner, await unlocked(sending, owner))


@pytest.fixture
async def first() -> AsyncIterator[Mailer]:
    async with post_office.mailer() as server:
        yield server


@pytest.fixture
async def second() -> AsyncIterator[Mailer]:
    async with post_office.mailer() as server:
        yield server
