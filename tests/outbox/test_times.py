"""An intent's times are the database's, to the microsecond."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.outbox.engines import KIND, Owner, eventually, kind, running, statuses, with_outbox
from tidings.kit.settings import Settings
from tidings.spine.outbox.intents import Intent


@pytest.mark.parametrize("fraction", ["000001", "333333", "499999", "500000", "999999"])
async def test_a_time_survives_the_way_to_the_handler(settings: Settings, owner: Owner, fraction: str) -> None:
    due = datetime.fromisoformat(f"2026-11-16T01:02:03.{fraction}+00:00")
    await owner.execute(
        """INSERT INTO tidings.outbox (id, tenant, kind, payload, due_at, run_at)
           VALUES (tidings.uuid7(), 'default', $1, '{}', $2, $2)""",
        KIND,
        due,
    )
    seen: list[datetime] = []

    async def see(intent: Intent) -> None:
        seen.append(intent.due_at)

    async def done() -> bool:
        return (await statuses(owner)).get("succeeded") == 1

    async with running(with_outbox(settings), kind(see)):
        await eventually(done)
    assert seen == [due]
