"""A database with the module in it, and a table laid."""

from __future__ import annotations

import pytest

from tests.support.dining import Table, lay
from tests.support.pipeline import Owner
from tidings.kit.db import Pool


@pytest.fixture
async def table(pool: Pool, owner: Owner) -> Table:
    return await lay(pool, owner)
