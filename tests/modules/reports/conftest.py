"""A database with the module in it, and an office."""

from __future__ import annotations

import pytest

from tests.support.pipeline import Owner, sending_settings
from tests.support.reporting import Office
from tidings.kit.db import Pool
from tidings.kit.settings import Settings


@pytest.fixture
async def office(pool: Pool, owner: Owner) -> Office:
    return Office(pool, owner)


@pytest.fixture
def settings(database_url: str) -> Settings:
    """What is sent goes to the sandbox, which keeps it sealed."""
    return sending_settings(database_url)
