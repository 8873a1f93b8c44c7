"""Notices over HTTP: what was said, how it stands, who was reached; and closing one."""

from __future__ import annotations

from tests.api.test_deliveries import tried
from tests.api.world import World


async def test_a_notice_is_shown_with_its_audience_and_its_tally(world: World) -> None:
    admin = world.as_(world.admin)
    delivery, _ = await tried(admin, 2)
    notice = (await admin.get(f"/v1/notices/{delivery['noticeId']}")).json["data"]
    assert notice["audience"] == [{"by": "person", "values": [delivery["personId"]]}]
    assert notice["tally"] | {"settledAt": None} == {
        "complete": True,
        "people": 1,
        "noTarget": 0,
        "open": 1,
        "sent": 0,
        "skipped": 0,
        "failed": 0,
        "settledAt": None,
    }
    reached = (await admin.get(f"/v1/notices/{delivery['noticeId']}/notifications")).json["data"]
    assert [(one["personId"], one["missing"]) for one in reached] == [(delivery["personId"], [])]


async def test_notices_are_listed_newest_first_by_every_filter(world: World) -> None:
    admin = world.as_(world.admin)
    oldest, _ = await tried(admin, 3)
    page = (await admin.get("/v1/notices?limit=2")).json
    rest = (await admin.get(f"/v1/notices?limit=2&cursor={page['pagination']['nextCursor']}")).json
    assert rest["data"][0]["id"] == oldest["noticeId"]
    assert len(page["data"] + rest["data"]) == 3
    for query, count in (
        ("listener=test", 3),
        ("listener=other", 0),
        ("category=test&since=2026-01-01T00:00:00Z", 3),
        ("until=2026-01-01T00:00:00Z", 0),
        ("factId=00000000-0000-0000-0000-000000000000", 0),
    ):
        assert len((await admin.get(f"/v1/notices?{query}")).json["data"]) == count, query


async def test_a_notice_is_closed_once(world: World) -> None:
    admin = world.as_(world.admin)
    delivery, _ = await tried(admin, 1)
    path = f"/v1/notices/{delivery['noticeId']}/close"
    closed = (await admin.post(path, {"reason": "handled"})).json["data"]
    again = (await admin.post(path, {"reason": "cancelled"})).json["data"]
    assert (again["closedAt"], again["closedReason"]) == (closed["closedAt"], "handled")
