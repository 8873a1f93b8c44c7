"""A database with the module in it."""

from __future__ import annotations

import pytest

from tests.modules.events.party import Party
from tests.support.pipeline import Owner, sending_settings
from tidings.kit.db import Pool


@pytest.fixture
async def party(database_url: str, pool: Pool, owner: Owner) -> Party:
    return Party(sending_settings(database_url), pool, owner)
