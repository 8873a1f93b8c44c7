"""Records histories that new code must replay: `python -m tests.modules.organizations.process.recording [--all]`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.modules.organizations.process.lives import LIVES
from tests.support.founding import Founder, Saga, activities, performing
from tests.support.histories import Kept, Lived
from tests.support.postgres import settings_for
from tests.support.temporal import keyring_of_tests, skipping_time, stage_on
from tidings.kit import db
from tidings.modules.organizations.model import process_of

KEPT = Kept(Path(__file__).parents[1] / "histories")


@asynccontextmanager
async def live(url: str, scenario: str) -> AsyncIterator[Lived]:
    life, settings, keyring = LIVES[scenario], settings_for(url), keyring_of_tests()
    async with (
        skipping_time(keyring) as skipping,
        await db.open_pool(settings.database, db.Role.WORKER, name="recording") as pool,
    ):
        founder = Founder(pool, life.provider())
        does = performing(activities(pool, keyring, founder.provider))
        address = skipping.client.service_client.config.target_host
        async with stage_on(address, settings, pool, keyring, does) as stage:
            asked = await life.live(Saga(stage, skipping, founder))
            yield stage, process_of(asked)


if __name__ == "__main__":
    KEPT.record(LIVES, live)
