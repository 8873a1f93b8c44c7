"""An API with people in it, for every test here."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.api.world import World, api_settings, world_of


@pytest.fixture
async def world(database_url: str) -> AsyncIterator[World]:
    async with world_of(api_settings(database_url)) as world:
        yield world
