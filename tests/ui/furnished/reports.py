"""Schedules of reports: one that has run, also for somebody who is not mailed any more; one that is paused."""

from __future__ import annotations

from tests.api.report_routes import a_schedule
from tests.support.temporal import until
from tests.ui.clerk import Clerk


async def reports(clerk: Clerk) -> dict[str, str]:
    to = ["first@example.com", "gone@example.com"]
    weekly = await clerk.call("POST", "/schedules", a_schedule(name="What went out", recipients=to))
    monthly = await clerk.call(
        "POST",
        "/schedules",
        a_schedule(reportTypeId="ops-dashboard", cadenceType="monthly", cadenceDay=31, timezone="Europe/Rome"),
    )
    await clerk.call("POST", f"/schedules/{monthly['id']}/pause")
    runs = f"/schedules/{weekly['id']}/runs"
    run = await clerk.call("POST", runs)

    async def over() -> bool:
        (newest,) = await clerk.call("GET", runs)
        return newest["completedAt"] is not None

    await until(over)
    return {"scheduleId": str(weekly["id"]), "runId": str(run["id"])}
