from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator

import pytest

from tests.chaos.cluster import Cluster, running_cluster


@pytest.fixture
def seed() -> int:
    """Printed with every failure; give it again with CHAOS_SEED."""
    given = os.environ.get("CHAOS_SEED")
    chosen = int(given) if given else random.SystemRandom().randrange(1 << 32)
    print(f"seed {chosen}")
    return chosen


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """For the scenarios that leave PostgreSQL as it is."""
    with asyncio.Runner() as runner:
        running = running_cluster()
        yield runner.run(running.__aenter__())
        runner.run(running.__aexit__(None, None, None))
