"""Schedules of reports over HTTP: what is asked for, refused, shown; whose they are; when they are due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.api.report_routes import PATH, a_schedule, scheduled
from tests.api.world import World
from tests.support.pipeline import Owner
from tests.support.reporting import Office
from tidings.modules.reports.documents import forget_old_documents
from tidings.testing import adrain

_LATER = "2026-02-10T18:30:00Z"
_SCHEDULE = {"id", "name", "reportTypeId", "cadenceType", "cadenceDay", "cadenceWeekday", "cadenceWeek",
             "intervalWeeks", "cronExpression", "scheduleTime", "timezone", "catchUp", "format", "status", "nextRunAt",
             "warnings", "createdAt", "updatedAt"}  # fmt: skip


async def test_what_is_made_is_there_as_it_was_asked_for(world: World) -> None:
    member = world.as_(world.member)
    answer = await member.post(
        PATH, a_schedule(recipients=["First@Example.com", "second@example.com", "first@example.com"])
    )
    made = answer.json["data"]
    assert (answer.status, answer.headers["Location"]) == (201, f"{PATH}/{made['id']}")
    assert set(made) == _SCHEDULE | {"recipients"}
    assert [(each["email"], each["isActive"]) for each in made["recipients"]] == [
        ("first@example.com", True),
        ("second@example.com", True),
    ]
    wanted = {"cadenceType": "weekly", "cadenceDay": 0, "scheduleTime": "09:00", "timezone": "America/New_York",
              "status": "active", "catchUp": "latest", "format": "pdf", "warnings": [],
              "reportTypeId": "delivery-summary"}  # fmt: skip
    assert {name: made[name] for name in wanted} == wanted
    due = datetime.fromisoformat(made["nextRunAt"])
    assert made["nextRunAt"].endswith("Z")
    assert due > datetime.now(UTC)
    detail = (await member.get(f"{PATH}/{made['id']}")).json["data"]
    assert detail == made | {"recentRuns": []}
    (listed,) = (await member.get(PATH)).json["data"]
    assert set(listed) == _SCHEDULE | {"lastRunStatus", "lastRunAt"}


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("reportTypeId", {"reportTypeId": "nothing"}),
        ("cadenceType", {"cadenceType": "hourly"}),
        ("cadenceDay", {"cadenceDay": 7}),
        ("cadenceDay", {"cadenceDay": ...}),
        ("cadenceDay", {"cadenceType": "daily"}),
        ("cadenceDay", {"cadenceType": "monthly", "cadenceDay": 0}),
        ("cadenceDay", {"cadenceType": "monthly", "cadenceDay": 3, "cadenceWeekday": 0, "cadenceWeek": 1}),
        ("cadenceWeek", {"cadenceType": "monthly", "cadenceDay": None, "cadenceWeekday": 0}),
        ("cadenceWeek", {"cadenceType": "monthly", "cadenceDay": None, "cadenceWeekday": 0, "cadenceWeek": 0}),
        ("intervalWeeks", {"cadenceType": "daily", "cadenceDay": None, "intervalWeeks": 2}),
        ("intervalWeeks", {"intervalWeeks": 53}),
        ("scheduleTime", {"scheduleTime": "9:00"}),
        ("scheduleTime", {"scheduleTime": "24:00"}),
        ("scheduleTime", {"scheduleTime": ...}),
        ("cronExpression", {"cadenceType": "cron", "cadenceDay": None, "scheduleTime": ...}),
        (
            "cronExpression",
            {"cadenceType": "cron", "cadenceDay": None, "scheduleTime": ..., "cronExpression": "0 9 * * * *"},
        ),
        (
            "cronExpression",
            {"cadenceType": "cron", "cadenceDay": None, "scheduleTime": ..., "cronExpression": "0 0 31 2 *"},
        ),
        ("scheduleTime", {"cadenceType": "cron", "cadenceDay": None, "cronExpression": "0 9 * * *"}),
        ("timezone", {"timezone": "Europe/Nowhere"}),
        ("recipients", {"recipients": []}),
        ("recipients", {"recipients": [f"r{n}@example.com" for n in range(51)]}),
        ("recipients.0", {"recipients": ["nobody"]}),
        ("recipients.0", {"recipients": ["a@example.com\r\nBcc: b@example.com"]}),
        ("catchUp", {"catchUp": "sometimes"}),
        ("format", {"format": "docx"}),
        ("tenantId", {"tenantId": "globex"}),
    ],
)
async def test_what_cannot_be_is_refused_at_its_field(world: World, field: str, given: dict[str, Any]) -> None:
    answer = await world.as_(world.member).post(PATH, a_schedule(**given))
    assert (answer.status, answer.json["type"].rsplit("/", 1)[1]) == (422, "validation-failed")
    assert [fault["field"] for fault in answer.json["errors"]] == [field]
    assert (await world.as_(world.member).get(PATH)).json["data"] == []


async def test_a_change_is_of_the_whole(world: World) -> None:
    member = world.as_(world.member)
    path = f"{PATH}/{(await scheduled(member))['id']}"

    async def change(**fields: Any) -> Any:
        return await member.call("PATCH", path, json=fields)

    refused = await change(cadenceType="daily")
    assert (refused.status, refused.json["errors"][0]["field"]) == (422, "cadenceDay")
    daily = (await change(cadenceType="daily", cadenceDay=None)).json["data"]
    assert (daily["cadenceType"], daily["cadenceDay"]) == ("daily", None)
    for name in ("name", "timezone", "scheduleTime", "recipients", "reportTypeId", "cronExpression"):
        refused = await change(**{name: None})
        assert (refused.status, refused.json["errors"][0]["field"]) == (422, name)
    changed = (await change(recipients=["third@example.com"], name="Every day", format="html")).json["data"]
    assert ([each["email"] for each in changed["recipients"]], changed["name"]) == (["third@example.com"], "Every day")
    assert (daily["format"], changed["format"]) == ("pdf", "html")
    assert changed["nextRunAt"] == daily["nextRunAt"]


async def test_what_is_paused_is_not_due_and_what_is_deleted_is_not_there(world: World) -> None:
    member = world.as_(world.member)
    made = await scheduled(member)
    path = f"{PATH}/{made['id']}"
    paused = await member.post(f"{path}/pause")
    assert (paused.status, paused.json["data"]) == (200, {"id": made["id"], "status": "paused", "nextRunAt": None})
    again = await member.post(f"{path}/pause")
    assert (again.status, again.json["detail"]) == (409, "Schedule is not active. Current status: paused.")
    moved = (await member.call("PATCH", path, json={"scheduleTime": "10:00"})).json["data"]
    assert (moved["status"], moved["nextRunAt"]) == ("paused", None)
    assert [each["id"] for each in (await member.get(f"{PATH}?status=paused")).json["data"]] == [made["id"]]
    resumed = (await member.post(f"{path}/resume")).json["data"]
    assert (resumed["status"], resumed["nextRunAt"][11:]) in [("active", f"{hour}:00:00Z") for hour in (14, 15)]
    assert (await member.post(f"{path}/resume")).status == 409
    assert (await member.call("DELETE", path)).status == 204
    for method, where in (("DELETE", path), ("GET", path), ("POST", f"{path}/pause"), ("GET", f"{path}/runs")):
        assert (await member.call(method, where)).status == 404
    assert (await member.get(PATH)).json["data"] == []


async def test_they_are_their_owners_and_an_admin_sees_to_all(world: World) -> None:
    member, admin = world.as_(world.member), world.as_(world.admin)
    theirs, own = await scheduled(admin), await scheduled(member)
    assert (await member.get(f"{PATH}/{theirs['id']}")).status == 404
    assert (await member.post(f"{PATH}/{theirs['id']}/pause")).status == 404
    assert [each["id"] for each in (await member.get(PATH)).json["data"]] == [own["id"]]
    assert (await member.get(f"{PATH}?owner=all")).status == 403
    assert [each["id"] for each in (await admin.get(PATH)).json["data"]] == [theirs["id"]]
    assert [each["id"] for each in (await admin.get(f"{PATH}?owner=all")).json["data"]] == [own["id"], theirs["id"]]
    assert (await admin.post(f"{PATH}/{own['id']}/pause")).status == 200


async def test_ten_are_made_or_changed_in_a_minute_and_no_more(world: World) -> None:
    member = world.as_(world.member)
    made = await scheduled(member)
    for n in range(9):
        answer = await member.call("PATCH", f"{PATH}/{made['id']}", json={"name": f"Report {n}"})
        assert (answer.status, answer.headers["X-RateLimit-Limit"]) == (200, "10"), answer.text
    refused = await member.post(PATH, a_schedule())
    assert (refused.status, refused.json["type"].rsplit("/", 1)[1]) == (429, "rate-limit-exceeded")
    assert (refused.headers["X-RateLimit-Limit"], refused.headers["X-RateLimit-Remaining"]) == ("10", "0")
    assert int(refused.headers["Retry-After"]) >= 1
    assert (await member.get(f"{PATH}/{made['id']}")).status == 200


WEEKLY = {"cadenceType": "weekly", "cadenceDay": 0, "scheduleTime": "09:00", "timezone": "America/New_York"}
MONTHLY = {"cadenceType": "monthly", "cadenceDay": 31, "scheduleTime": "09:00", "timezone": "UTC"}
IN_THE_GAP = {"cadenceType": "daily", "scheduleTime": "02:30", "timezone": "America/New_York"}
TWICE = {"cadenceType": "cron", "cronExpression": "30 1 * * *", "timezone": "America/New_York"}


@pytest.mark.parametrize(
    ("cadence", "after", "expected"),
    [
        (WEEKLY, _LATER, [("2026-02-16T14:00", "2026-02-16T09:00", None),
                          ("2026-02-23T14:00", "2026-02-23T09:00", None)]),
        (MONTHLY, _LATER, [("2026-02-28T09:00", "2026-02-28T09:00", "clamped"),
                           ("2026-03-31T09:00", "2026-03-31T09:00", None)]),
        (IN_THE_GAP, "2026-03-07T12:00:00Z", [("2026-03-08T07:00", "2026-03-08T03:00", "gap"),
                                              ("2026-03-09T06:30", "2026-03-09T02:30", None)]),
        (TWICE, "2026-10-31T12:00:00Z", [("2026-11-01T05:30", "2026-11-01T01:30", "repeated"),
                                         ("2026-11-02T06:30", "2026-11-02T01:30", None)]),
    ],
)  # fmt: skip
async def test_a_preview_says_when_it_would_run(world: World, cadence: Any, after: str, expected: Any) -> None:
    answer = await world.as_(world.member).post(f"{PATH}/preview", {"from": after, **cadence, "count": 2})
    assert answer.status == 200, answer.text
    assert [
        (each["runAt"].removesuffix(":00Z"), each["localTime"], each["note"]) for each in answer.json["data"]
    ] == expected
    assert (await world.as_(world.member).get(PATH)).json["data"] == []


async def test_a_run_is_told_with_what_became_of_each_recipient(world: World, owner: Owner) -> None:
    member = world.as_(world.member)
    made = await scheduled(member, cadenceType="daily", cadenceDay=None, format="csv")
    await Office(world.pool, owner, "acme").fall_due(made["id"])
    await adrain(world.settings)
    listed = (await member.get(f"{PATH}/{made['id']}/runs")).json
    (run,) = listed["data"]
    assert listed["pagination"] == {"nextCursor": None, "hasMore": False}
    assert (run["status"], run["trigger"], run["late"], run["errorMessage"]) == ("delivered", "schedule", True, None)
    assert run["counts"] == {"sent": 2, "failed": 0, "skipped": 0, "pending": 0}
    assert [(each["email"], each["status"]) for each in run["recipients"]] == [
        ("first@example.com", "sent"),
        ("second@example.com", "sent"),
    ]
    kept = await member.get(run["documentUrl"])
    assert (kept.status, kept.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert kept.text.splitlines()[0] == "channel,sent,failed,skipped"
    await owner.execute("UPDATE tidings.report_documents SET created_at = now() - interval '91 days'")
    assert not await forget_old_documents(owner, timedelta(days=90))
    gone = await member.get(run["documentUrl"])
    assert (gone.status, gone.json["type"].rsplit("/", 1)[1]) == (410, "gone")
    begun = await member.post(f"{PATH}/{made['id']}/runs")
    assert (begun.status, begun.json["data"]["trigger"], begun.json["data"]["documentUrl"]) == (202, "manual", None)
    assert (await member.get(f"{PATH}/{made['id']}/runs/{begun.json['data']['id']}/document")).status == 404
    await owner.execute("DELETE FROM tidings.report_runs WHERE id = $1", begun.json["data"]["id"])
    detail = (await member.get(f"{PATH}/{made['id']}")).json["data"]
    assert [each["id"] for each in detail["recentRuns"]] == [run["id"]]
    assert (await member.get(f"{PATH}/{made['id']}/runs?status=generation_failed")).json["data"] == []
    (listed,) = (await member.get(PATH)).json["data"]
    assert listed["lastRunStatus"] == "delivered"


async def test_the_reports_there_are_have_a_name_and_say_what_they_tell(world: World) -> None:
    answer = await world.as_(world.member).get("/v1/report-types")
    assert [set(each) for each in answer.json["data"]] == [{"id", "name", "description"}] * 2


async def test_of_several_each_is_changed_by_itself(world: World) -> None:
    member, admin = world.as_(world.member), world.as_(world.admin)
    one, other, theirs = await scheduled(member), await scheduled(member), await scheduled(admin)
    await member.post(f"{PATH}/{other['id']}/pause")
    ids = [one["id"], other["id"], theirs["id"], one["id"]]
    answer = await member.post(f"{PATH}/bulk", {"action": "pause", "ids": ids})
    assert [(each["id"], each["outcome"]) for each in answer.json["data"]] == [
        (one["id"], "done"),
        (other["id"], "conflict"),
        (theirs["id"], "not-found"),
    ]
    assert answer.json["data"][1]["detail"] == "Schedule is not active. Current status: paused."
    assert {each["status"] for each in (await member.get(PATH)).json["data"]} == {"paused"}
    gone = await member.post(f"{PATH}/bulk", {"action": "delete", "ids": ids[:3]})
    assert [each["outcome"] for each in gone.json["data"]] == ["done", "done", "not-found"]
    assert (await admin.get(f"{PATH}/{theirs['id']}")).json["data"]["status"] == "active"


async def test_a_template_and_what_is_ones_own_make_a_schedule(world: World) -> None:
    member = world.as_(world.member)
    own = {"timezone": "Europe/Rome", "recipients": ["first@example.com"]}
    for template in (await member.get("/v1/schedule-templates")).json["data"]:
        made = await member.post(PATH, template["schedule"] | own)
        assert made.status == 201, made.text
        assert made.json["data"]["warnings"] == (
            ["day 31 is the last day of shorter months"] if template["id"] == "monthly-deliveries" else []
        )
