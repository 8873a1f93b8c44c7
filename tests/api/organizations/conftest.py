"""An API in which nobody waits a minute for their next try at signing in, and an organisation."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.api.organization_routes import Takers
from tests.api.world import World, api_settings, world_of


@pytest.fixture
async def world(database_url: str) -> AsyncIterator[World]:
    async with world_of(api_settings(database_url, api={"sign_in_limit": 1_000})) as world:
        yield world


@pytest.fixture
def takers(world: World) -> Takers:
    return Takers(world)


@pytest.fixture
async def north(world: World, takers: Takers) -> str:
    """An organisation that is taken on; nobody has come in yet."""
    return await takers.taken_on(world.as_(world.admin))
