"""Stories in a real Chromium against the real stack: one stack a file, a tenant and a browser a story."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.support.postgres import Server
from tests.ui.house import CHROMIUM, House, Stack, opened, running


@pytest.fixture(scope="module")
def stack(postgres_18: Server) -> Iterator[Stack]:
    if not CHROMIUM.exists():
        missing = "Chromium is missing; install it with: apt-get install chromium"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with postgres_18.database() as url, running(url) as stack:
        yield stack


@pytest.fixture
async def house(stack: Stack) -> AsyncIterator[House]:
    async with opened(stack) as house:
        yield house


@pytest.fixture
async def apart(house: House) -> House:
    """Events of this story have ids of their own: others have processes on the same Temporal."""
    first = secrets.randbelow(10**12)
    await house.owner.execute(f"ALTER TABLE tidings.events ALTER COLUMN id RESTART WITH {first}")
    return house
