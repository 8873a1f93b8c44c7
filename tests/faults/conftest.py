from __future__ import annotations

import os
import random

import pytest


@pytest.fixture
def seed() -> int:
    """Printed with every failure; give it again with CHAOS_SEED."""
    given = os.environ.get("CHAOS_SEED")
    chosen = int(given) if given else random.SystemRandom().randrange(1 << 32)
    print(f"seed {chosen}")
    return chosen
