"""Records the histories that new code must replay: `python -m tests.modules.events.process.recording [--all]`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.modules.events.process.scenarios import SCENARIOS, Scene
from tests.support.histories import Kept, Lived
from tests.support.organising import Organiser, performing
from tests.support.postgres import settings_for
from tests.support.temporal import keyring_of_tests, skipping_time, stage_on
from tidings.kit import db

KEPT = Kept(Path(__file__).parents[1] / "histories")


@asynccontextmanager
async def live(url: str, scenario: str) -> AsyncIterator[Lived]:
    settings, keyring = settings_for(url), keyring_of_tests()
    async with (
        skipping_time(keyring) as skipping,
        await db.open_pool(settings.database, db.Role.WORKER, name="recording") as pool,
        stage_on(skipping.client.service_client.config.target_host, settings, pool, keyring, performing(pool)) as stage,
        stage.performed(),
    ):
        event = await SCENARIOS[scenario](Scene(stage, skipping, Organiser(pool)))
        yield stage, f"event-{event}"


if __name__ == "__main__":
    KEPT.record(SCENARIOS, live)
