"""The scenarios of `make chaos` in short form: real kills of real processes."""

from __future__ import annotations

import os

import pytest

from tests.chaos.catalogue import SCENARIOS, Scenario
from tests.chaos.cluster import Cluster


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    "scenario", [each for each in SCENARIOS if not each.only_at_length], ids=lambda scenario: scenario.key
)
async def test_no_promise_is_broken(scenario: Scenario, cluster: Cluster, seed: int) -> None:
    if scenario.missing:
        pytest.fail(scenario.missing) if os.environ.get("CI") else pytest.skip(scenario.missing)
    await scenario.play(cluster, scenario.short, seed)
