"""Records the histories that new code must replay: `python -m tests.modules.events.process.recording [--all]`.

Writes those of scenarios that have none yet. What is there stays, as long as such processes may still run; with
`--all`, new ones are written beside it.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from temporalio.client import WorkflowHistory

from tests.modules.events.process.scenarios import SCENARIOS, Scene
from tests.support.organising import Organiser, performing
from tests.support.postgres import embedded_18, settings_for
from tests.support.temporal import histories, keyring_of_tests, skipping_time, stage_on
from tidings.kit import db

KEPT = Path(__file__).parents[1] / "histories"


def kept_of(scenario: str) -> list[Path]:
    return sorted(KEPT.glob(f"{scenario}.*.json"))


async def record(url: str, scenario: str) -> list[Path]:
    """One file for each run of the process."""
    settings, keyring = settings_for(url), keyring_of_tests()
    async with (
        skipping_time(keyring) as skipping,
        await db.open_pool(settings.database, db.Role.WORKER, name="recording") as pool,
        stage_on(skipping.client.service_client.config.target_host, settings, pool, keyring, performing(pool)) as stage,
        stage.performed(),
    ):
        event = await SCENARIOS[scenario](Scene(stage, skipping, Organiser(pool)))
        runs = await histories(skipping.client, f"event-{event}")
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    files = [KEPT / f"{scenario}.{day}.{number}.json" for number in range(1, len(runs) + 1)]
    for file, run in zip(files, runs, strict=True):
        file.write_text(WorkflowHistory(f"event-{event}", list(run.events)).to_json() + "\n", encoding="utf-8")
    return files


def main() -> None:
    wanted = [name for name in SCENARIOS if "--all" in sys.argv or not kept_of(name)]
    with embedded_18() as server:
        for name in wanted:
            with server.database() as url:
                print(*asyncio.run(record(url, name)), sep="\n")


if __name__ == "__main__":
    main()
