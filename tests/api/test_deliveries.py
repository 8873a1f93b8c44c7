"""Deliveries over HTTP: listed over both tables, told by every filter, acted on."""

from __future__ import annotations

from typing import Any

from tests.api.delivery_routes import PROVIDER
from tests.api.world import Client, World

FINISH = """
WITH gone AS (DELETE FROM tidings.deliveries WHERE id = $1 RETURNING *), counted AS (
    UPDATE tidings.tallies t SET open = open - 1, failed = failed + 1 FROM gone WHERE t.notice_id = gone.notice_id)
INSERT INTO tidings.deliveries_finished (id, tenant, channel, provider, notice_id, notification_id, person_id,
    address_id, address, due_at, run_at, expires_at, status, attempts, crashes, last_error, generation,
    created_at, updated_at)
SELECT id, tenant, channel, provider, notice_id, notification_id, person_id, address_id, address, due_at, run_at,
    expires_at, 'failed', 5, 0, 'answered 550', generation, created_at, now() FROM gone
"""


async def tried(client: Client, count: int) -> tuple[dict[str, Any], list[str]]:
    """Deliveries that wait, the newest first, and the first of them in full."""
    provider = (await client.post("/v1/providers", PROVIDER)).json["data"]["id"]
    ids = []
    for n in range(count):
        person = await client.post("/v1/people", {"name": "Somebody", "email": f"somebody{n}@example.com"})
        answer = await client.post(f"/v1/providers/{provider}/test", {"personId": person.json["data"]["id"]})
        ids.append(answer.json["data"]["deliveryId"])
    return (await client.get(f"/v1/deliveries/{ids[0]}")).json["data"], ids[::-1]


async def listed(client: Client, query: str = "") -> list[str]:
    answer = await client.get(f"/v1/deliveries?{query}")
    assert answer.status == 200, answer.text
    return [delivery["id"] for delivery in answer.json["data"]]


async def test_open_and_finished_ones_are_one_list_with_a_cursor(world: World) -> None:
    admin = world.as_(world.admin)
    _, ids = await tried(admin, 5)
    for finished in (ids[1], ids[3]):
        await world.pool.execute(FINISH, finished)
    seen, cursor = [], ""
    while cursor is not None:
        page = (await admin.get(f"/v1/deliveries?limit=2{cursor}")).json
        seen += [delivery["id"] for delivery in page["data"]]
        cursor = page["pagination"]["nextCursor"] and f"&cursor={page['pagination']['nextCursor']}"
    assert seen == ids


async def test_a_delivery_says_what_it_tells_whom(world: World) -> None:
    delivery, _ = await tried(world.as_(world.admin), 1)
    assert (delivery["personName"], delivery["factId"]) == ("Somebody", None)
    assert delivery["title"]


async def test_every_filter_tells_them_apart(world: World) -> None:
    admin = world.as_(world.admin)
    oldest, ids = await tried(admin, 3)
    await world.pool.execute(FINISH, ids[0])
    await world.pool.execute("UPDATE tidings.deliveries SET status = 'held' WHERE id = $1", ids[1])
    assert await listed(admin, "status=failed") == [ids[0]]
    assert await listed(admin, "status=unknown") == [ids[1]]
    assert await listed(admin, "status=pending") == [ids[2]]
    assert await listed(admin, "status=deferred") == []
    assert await listed(admin, f"noticeId={oldest['noticeId']}") == [ids[2]]
    assert await listed(admin, f"personId={oldest['personId']}") == [ids[2]]
    assert await listed(admin, f"provider={oldest['provider']}&channel=email&since=2026-01-01T00:00:00Z") == ids
    assert await listed(admin, "channel=sms") == []
    assert (await admin.get("/v1/deliveries?status=held")).status == 422


async def test_what_failed_is_retried_and_what_is_unknown_settled(world: World) -> None:
    admin = world.as_(world.admin)
    _, ids = await tried(admin, 2)
    await world.pool.execute(FINISH, ids[0])
    await world.pool.execute("UPDATE tidings.deliveries SET status = 'held' WHERE id = $1", ids[1])
    again = await admin.post(f"/v1/deliveries/{ids[0]}/retry")
    assert (again.status, again.json["data"]["status"]) == (200, "pending")
    settled = await admin.post(f"/v1/deliveries/{ids[1]}/settle", {"as": "sent", "reason": "she has it"})
    assert (settled.status, settled.json["data"]["status"]) == (200, "sent")
    assert (await admin.post(f"/v1/deliveries/{ids[1]}/retry")).status == 409
    history = (await admin.get(f"/v1/deliveries/{ids[1]}")).json["data"]["history"]
    assert [(line["outcome"], line["providerName"]) for line in history] == [("sent", "canary")]
    assert (await admin.post(f"/v1/deliveries/{ids[0]}/settle", {"as": "sent", "reason": "no"})).status == 409


async def test_a_bulk_retry_says_how_many(world: World) -> None:
    admin = world.as_(world.admin)
    _, ids = await tried(admin, 3)
    for finished in ids:
        await world.pool.execute(FINISH, finished)
    assert (await admin.post("/v1/deliveries/retry", {"error": "quota"})).json["data"] == {"retried": 0, "more": False}
    headers = {"Idempotency-Key": "once"}
    for _ in range(2):
        answer = await admin.post("/v1/deliveries/retry", {"error": "550"}, headers=headers)
        assert answer.json["data"] == {"retried": 3, "more": False}
    assert len(await listed(admin, "status=pending")) == 3
