"""An office whose reports come by mail: schedules through the module's own service, and the clock put forward."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from tests.support.pipeline import Owner
from tidings.kit.db import Pool, as_tenant
from tidings.kit.settings import Settings
from tidings.modules.reports.documents import Documents
from tidings.modules.reports.model import KeptDocument, Wanted
from tidings.modules.reports.runs import Runs
from tidings.modules.reports.schedules import Schedules
from tidings.modules.reports.slots import Slot
from tidings.modules.reports.timing import CadenceType, Timing
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import REPORTS

TENANT = "default"
TO = ("first@example.com", "second@example.com")


def daily(at: time = time(9), timezone: str = "Europe/Vienna") -> Timing:
    return Timing(CadenceType.DAILY, timezone, date(2026, 1, 1), at)


async def documents(owner: Owner, settings: Settings) -> Documents:
    return Documents((await unlocked(settings, owner)).vault(REPORTS))


async def keep(owner: Owner, settings: Settings, run: int, content: bytes = b"channel") -> None:
    """What a run made, as if it had made this."""
    made = KeptDocument("report.csv", "text/csv", content)
    await (await documents(owner, settings)).keep(owner, TENANT, run, made)


@dataclass(frozen=True)
class Office:
    pool: Pool
    owner: Owner
    tenant: str = TENANT

    @asynccontextmanager
    async def schedules(self) -> AsyncIterator[Schedules]:
        async with self.pool.acquire() as connection, as_tenant(connection, self.tenant):
            yield Schedules(connection, self.tenant, None)

    @asynccontextmanager
    async def runs_of(self) -> AsyncIterator[Runs]:
        async with self.pool.acquire() as connection, as_tenant(connection, self.tenant):
            yield Runs(connection, self.tenant)

    async def schedule(
        self, timing: Timing | None = None, to: tuple[str, ...] = TO, owner: str = "user:nobody", **given: Any
    ) -> int:
        wanted = Wanted("delivery-summary", timing or daily(), to, **given)
        async with self.schedules() as schedules:
            return await schedules.create(owner, wanted)

    async def fall_due(self, id: int, ago: timedelta = timedelta(0)) -> datetime:
        """Its next slot is the newest one that is so long ago or longer. Returns when that was."""
        async with self.schedules() as schedules:
            timing = (await schedules.get(id)).timing
        until = datetime.now(UTC) - ago
        slot = _before(timing, until)[-1]
        await self.owner.execute(
            "UPDATE tidings.report_schedules SET next_run_at = $2, next_slot = $3 WHERE id = $1",
            id,
            slot.at,
            slot.local,
        )
        await self.owner.execute(
            "UPDATE tidings.outbox SET due_at = $2, run_at = $2 WHERE kind = 'report.tick' AND key = $1",
            f"schedule:{id}",
            slot.at,
        )
        return slot.at

    async def runs(self, id: int) -> list[dict[str, Any]]:
        rows = await self.owner.fetch("SELECT * FROM tidings.report_runs WHERE schedule_id = $1 ORDER BY id", id)
        return [dict(row) for row in rows]

    async def recipients(self, run: int) -> dict[str, str]:
        rows = await self.owner.fetch(
            "SELECT email, status FROM tidings.report_run_recipients WHERE run_id = $1 ORDER BY email", run
        )
        return {row["email"]: row["status"] for row in rows}

    async def tick(self, id: int) -> Any:
        return await self.owner.fetchrow(
            "SELECT * FROM tidings.outbox WHERE kind = 'report.tick' AND key = $1", f"schedule:{id}"
        )


def _before(timing: Timing, until: datetime) -> list[Slot]:
    found: list[Slot] = []
    for slot in timing.slots(until - timedelta(days=400)):
        if slot.at > until:
            break
        found.append(slot)
    return found
