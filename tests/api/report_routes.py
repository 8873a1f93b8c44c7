"""Schedules of reports for tests of the API; their routes, for the walk as A against what is B's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import asyncpg

from tests.api.world import Client, World

Ids = dict[str, str]
PATH = "/v1/schedules"
_FAR = 8_830_000
_SCHEDULE = f"{PATH}/{{scheduleId}}"


def a_schedule(**fields: Any) -> dict[str, Any]:
    """Every Monday at nine in New York, but for what is given; what is given as ... is left out."""
    whole = {
        "reportTypeId": "delivery-summary",
        "cadenceType": "weekly",
        "cadenceDay": 0,
        "scheduleTime": "09:00",
        "timezone": "America/New_York",
        "recipients": ["first@example.com", "second@example.com"],
        **fields,
    }
    return {name: value for name, value in whole.items() if value is not ...}


async def scheduled(client: Client, **fields: Any) -> dict[str, Any]:
    answer = await client.post(PATH, a_schedule(**fields))
    assert answer.status == 201, answer.text
    schedule: dict[str, Any] = answer.json["data"]
    return schedule


def _of(method: str, path: str, body: Any = None) -> tuple[tuple[str, str], Callable[[Ids], tuple[str, Any]]]:
    return (method, path), lambda ids: (path.format(scheduleId=ids["schedule"], runId=ids["run"]), body)


OF_ONE_OBJECT: dict[tuple[str, str], Callable[[Ids], tuple[str, Any]]] = dict(
    (
        _of("GET", _SCHEDULE),
        _of("PATCH", _SCHEDULE, {"name": "Mine"}),
        _of("DELETE", _SCHEDULE),
        _of("POST", f"{_SCHEDULE}/pause"),
        _of("POST", f"{_SCHEDULE}/resume"),
        _of("GET", f"{_SCHEDULE}/runs"),
        _of("POST", f"{_SCHEDULE}/runs"),
        _of("GET", f"{_SCHEDULE}/runs/{{runId}}/document"),
        _of("POST", f"{_SCHEDULE}/runs/{{runId}}/retry"),
        _of("POST", f"{_SCHEDULE}/runs/{{runId}}/resend"),
    )
)
OF_ALL: dict[tuple[str, str], tuple[str, Any]] = {
    ("GET", PATH): (f"{PATH}?owner=all", None),
    ("GET", "/v1/report-types"): ("/v1/report-types", None),
    ("GET", "/v1/schedule-templates"): ("/v1/schedule-templates", None),
}
ELSEWHERE = {
    ("POST", PATH),
    ("POST", f"{PATH}/preview"),
    ("POST", f"{PATH}/bulk"),
}  # tested in test_schedules, by what they write


async def schedules_of(world: World, owner: Client) -> Ids:
    connection = await asyncpg.connect(world.settings.database.url)
    for table in ("report_schedules", "report_runs"):
        await connection.execute(f"ALTER TABLE tidings.{table} ALTER COLUMN id RESTART WITH {_FAR}")
    await connection.close()
    schedule = (await scheduled(owner, name="Canary"))["id"]
    run = await owner.post(f"{PATH}/{schedule}/runs")
    return {"schedule": str(schedule), "run": str(run.json["data"]["id"])}


def shown_at(ids: Ids) -> tuple[str, ...]:
    path = f"{PATH}/{ids['schedule']}"
    return (path, f"{path}/runs")
