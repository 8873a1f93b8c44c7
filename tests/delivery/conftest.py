"""A post office over a real database, and a provider of mail to talk to."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.delivery.post_office import Mailer, PostOffice, mailer, sending_settings
from tests.outbox.engines import Owner
from tidings.kit import db
from tidings.kit.settings import Settings


@pytest.fixture
def office(settings: Settings, pool: db.Pool, owner: Owner) -> PostOffice:
    return PostOffice(sending_settings(settings), pool, owner)


@pytest.fixture
async def first() -> AsyncIterator[Mailer]:
    async with mailer() as server:
        yield server


@pytest.fixture
async def second() -> AsyncIterator[Mailer]:
    async with mailer() as server:
        yield server
