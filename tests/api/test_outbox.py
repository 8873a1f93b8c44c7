"""The outbox over HTTP: what a person may do with an intent, and what may not be done."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from tests.api.world import Client, World

NEW_YEAR = "2027-01-01T00:00:00Z"


async def kill(world: World, id: str, error: str = "boom") -> None:
    """Makes a dead letter of an open intent, as the engine would."""
    await world.pool.execute(
        """WITH gone AS (DELETE FROM tidings.outbox WHERE id = $1 RETURNING *)
           INSERT INTO tidings.outbox_finished (id, tenant, kind, key, fact_id, stream, stream_version, payload, due_at,
               run_at, status, attempts, crashes, last_error, generation, created_at, updated_at)
           SELECT id, tenant, kind, key, fact_id, stream, stream_version, payload, due_at, run_at, 'dead', 10, crashes,
               $2, generation, created_at, now() FROM gone""",
        id,
        error,
    )


async def lease(world: World, id: str) -> None:
    await world.pool.execute(
        "UPDATE tidings.outbox SET status = 'processing', lease_token = $2 WHERE id = $1", id, uuid4()
    )


async def shown(client: Client, id: str) -> dict[str, Any]:
    intent: dict[str, Any] = (await client.get(f"/v1/outbox/{id}")).json["data"]
    return intent


async def test_a_dead_letter_runs_again_with_all_its_attempts(world: World) -> None:
    admin = world.as_(world.admin)
    fact = await admin.emit(key="k")
    await kill(world, fact["id"])
    assert (await shown(admin, fact["id"]))["status"] == "dead"
    answer = await admin.post(f"/v1/outbox/{fact['id']}/retry")
    intent = answer.json["data"]
    assert (intent["status"], intent["attempts"], intent["lastError"]) == ("pending", 0, "boom")
    assert intent["finishedAt"] is None
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.outbox_finished") == 0


async def test_a_waiting_intent_is_hurried_and_one_in_hand_is_not(world: World) -> None:
    admin = world.as_(world.admin)
    fact = await admin.emit(runAt=NEW_YEAR)
    hurried = (await admin.post(f"/v1/outbox/{fact['id']}/retry")).json["data"]
    assert hurried["runAt"] < NEW_YEAR
    await lease(world, fact["id"])
    refused = await admin.post(f"/v1/outbox/{fact['id']}/retry")
    assert (refused.status, refused.json["type"].rsplit("/", 1)[1]) == (409, "conflict")


async def test_what_succeeded_cannot_be_retried_cancelled_or_moved(world: World) -> None:
    admin = world.as_(world.admin)
    fact = await admin.emit()
    await kill(world, fact["id"])
    await world.pool.execute("UPDATE tidings.outbox_finished SET status = 'succeeded'")
    before = await shown(admin, fact["id"])
    for action, body in (("retry", None), ("cancel", None), ("reschedule", {"runAt": NEW_YEAR})):
        refused = await admin.post(f"/v1/outbox/{fact['id']}/{action}", body)
        assert refused.status == 409, action
        assert refused.json["detail"] == "This intent has succeeded: it is not run again, moved or cancelled."
    assert await shown(admin, fact["id"]) == before


async def test_what_is_advised_for_a_finished_intent_works(world: World) -> None:
    admin = world.as_(world.admin)
    fact = await admin.emit()
    await admin.post(f"/v1/outbox/{fact['id']}/cancel")
    again = await admin.post(f"/v1/outbox/{fact['id']}/cancel")
    assert (again.status, again.json["detail"]) == (409, "This intent is cancelled already.")
    moved = await admin.post(f"/v1/outbox/{fact['id']}/reschedule", {"runAt": NEW_YEAR})
    assert (moved.status, "retrying runs it anew" in moved.json["detail"]) == (409, True)
    assert (await admin.post(f"/v1/outbox/{fact['id']}/retry")).status == 200


async def test_cancelling_ends_an_open_intent_even_one_in_hand(world: World) -> None:
    admin = world.as_(world.admin)
    waiting, in_hand = await admin.emit(), await admin.emit()
    await lease(world, in_hand["id"])
    for fact in (waiting, in_hand):
        intent = (await admin.post(f"/v1/outbox/{fact['id']}/cancel")).json["data"]
        assert (intent["status"], intent["finishedAt"] is not None) == ("cancelled", True)
        assert (await admin.post(f"/v1/outbox/{fact['id']}/cancel")).status == 409
    assert (await admin.post(f"/v1/outbox/{waiting['id']}/retry")).json["data"]["status"] == "pending"


async def test_cancelling_frees_the_key_of_a_scheduled_intent(world: World) -> None:
    admin = world.as_(world.admin)
    schedule = "SELECT tidings.schedule('reminder.send', '{}', 'k', now() + interval '1 day', 'acme')"
    first = await world.pool.fetchval(schedule)
    await admin.post(f"/v1/outbox/{first}/cancel")
    second = await world.pool.fetchval(schedule)
    assert second != first
    refused = await admin.post(f"/v1/outbox/{first}/retry")
    assert (refused.status, refused.json["detail"]) == (409, "Its key is in use by another open intent.")
    await admin.post(f"/v1/outbox/{second}/cancel")
    assert (await admin.post(f"/v1/outbox/{first}/retry")).status == 200
    assert await world.pool.fetchval("SELECT intent_id FROM tidings.outbox_keys") == first


async def test_putting_a_dead_letter_aside_frees_its_key(world: World) -> None:
    admin = world.as_(world.admin)
    schedule = "SELECT tidings.schedule('reminder.send', '{}', 'k', tenant => 'acme')"
    first = await world.pool.fetchval(schedule)
    await kill(world, first)
    await world.pool.execute("UPDATE tidings.outbox_keys SET expires_at = now() + interval '7 days'")
    assert await world.pool.fetchval(schedule) == first
    assert (await admin.post(f"/v1/outbox/{first}/cancel")).json["data"]["status"] == "cancelled"
    assert await world.pool.fetchval(schedule) != first


HOUSEKEEPING = """SELECT (tidings.schedule_as('tidings', ARRAY['tidings.maintain'], ARRAY['{}'::jsonb], NULL, NULL,
    'acme', NULL))[1]"""


async def test_the_installations_housekeeping_is_not_the_tenants_to_see_or_change(world: World) -> None:
    admin = world.as_(world.admin)
    waiting, dead = [await world.pool.fetchval(HOUSEKEEPING) for _ in range(2)]
    await kill(world, dead)
    both = "SELECT id, status, run_at FROM tidings.outbox UNION SELECT id, status, run_at FROM tidings.outbox_finished"
    before = await world.pool.fetch(f"{both} ORDER BY id")
    for intent in (waiting, dead):
        for action, body in (("retry", None), ("cancel", None), ("reschedule", {"runAt": NEW_YEAR})):
            refused = await admin.post(f"/v1/outbox/{intent}/{action}", body)
            assert (refused.status, "housekeeping" in refused.json["detail"]) == (403, True), action
    assert (await admin.post("/v1/outbox/redrive", {})).json["data"] == {"redriven": 0, "more": False}
    assert await world.pool.fetch(f"{both} ORDER BY id") == before
    for path in ("/v1/outbox", "/v1/outbox?kind=tidings.maintain", "/v1/outbox/stats"):
        assert "tidings.maintain" not in (await admin.get(path)).text, path


async def test_a_moved_intent_raises_its_generation(world: World) -> None:
    admin = world.as_(world.admin)
    fact = await admin.emit()
    moved = (await admin.post(f"/v1/outbox/{fact['id']}/reschedule", {"runAt": NEW_YEAR})).json["data"]
    assert (moved["runAt"], moved["dueAt"], moved["generation"]) == (NEW_YEAR, NEW_YEAR, 1)
    await lease(world, fact["id"])
    moved = (await admin.post(f"/v1/outbox/{fact['id']}/reschedule", {"runAt": "2027-02-01T00:00:00Z"})).json["data"]
    assert (moved["status"], moved["generation"]) == ("processing", 2)


async def test_dead_letters_are_redriven_by_kind_error_and_time(world: World) -> None:
    admin = world.as_(world.admin)
    for kind, error in (("lead.created", "smtp: 50% _off_"), ("lead.created", "timeout"), ("order.paid", "timeout")):
        await kill(world, (await admin.emit(kind))["id"], error)

    async def redriven(**body: Any) -> Any:
        return (await admin.post("/v1/outbox/redrive", body)).json["data"]

    assert await redriven(until="2020-01-01T00:00:00Z") == {"redriven": 0, "more": False}
    assert await redriven(kind="lead.closed") == {"redriven": 0, "more": False}
    assert await redriven(error="50% _") == {"redriven": 1, "more": False}
    assert await redriven(kind="order.paid", error="timeout", since="2020-01-01T00:00:00Z") == {
        "redriven": 1,
        "more": False,
    }
    assert (await redriven())["redriven"] == 1
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.outbox WHERE status = 'pending'") == 3


async def test_of_many_who_retry_at_once_one_revives(world: World) -> None:
    admin = world.as_(world.admin)
    fact = await admin.emit()
    await kill(world, fact["id"])
    answers = await asyncio.gather(*(admin.post(f"/v1/outbox/{fact['id']}/retry") for _ in range(10)))
    assert {answer.status for answer in answers} == {200}
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.outbox") == 1
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.outbox_finished") == 0


async def test_intents_are_listed_open_and_finished_in_one_order(world: World) -> None:
    admin = world.as_(world.admin)
    facts = [await admin.emit("lead.created" if n % 2 else "order.paid", key=f"k_{n}") for n in range(6)]
    await kill(world, facts[0]["id"])
    await admin.post(f"/v1/outbox/{facts[1]['id']}/cancel")
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = (await admin.get(f"/v1/outbox?limit=2{cursor}")).json
        seen += [intent["id"] for intent in page["data"]]
        following = page["pagination"]["nextCursor"]
        cursor = f"&cursor={following}" if following else None
    assert seen == [fact["id"] for fact in reversed(facts)]

    async def found(query: str) -> set[str]:
        return {intent["key"] for intent in (await admin.get(f"/v1/outbox?{query}")).json["data"]}

    assert await found("status=dead") == {"k_0"}
    assert await found("status=cancelled") == {"k_1"}
    assert await found("kind=order.paid") == {"k_0", "k_2", "k_4"}
    assert await found("keyPrefix=k_3") == {"k_3"}
    assert await found("keyPrefix=k%25") == set()
    assert await found("status=pending&kind=lead.created") == {"k_3", "k_5"}


async def test_statistics_show_what_waits_lags_and_stands_still(world: World) -> None:
    admin = world.as_(world.admin)
    await world.pool.execute("INSERT INTO tidings.ordered_streams VALUES ('lead')")
    await world.pool.execute("INSERT INTO tidings.workers (id, name, kinds) VALUES ($1, 'w', '{order.paid}')", uuid4())
    head = await admin.emit("lead.created", stream={"type": "lead", "id": "1"})
    await admin.emit("lead.created", stream={"type": "lead", "id": "1"})
    await admin.emit("order.paid", runAt=NEW_YEAR)
    await kill(world, head["id"])
    stats = (await admin.get("/v1/outbox/stats")).json["data"]
    counts = {(c["kind"], c["status"]): c["count"] for c in stats["counts"]}
    assert counts == {("lead.created", "pending"): 1, ("lead.created", "dead"): 1, ("order.paid", "pending"): 1}
    assert [lag["kind"] for lag in stats["lag"]] == ["lead.created"]
    assert stats["kindsWithoutWorker"] == ["lead.created"]
    assert stats["blockedStreams"] == [
        {"kind": "lead.created", "stream": "lead/1", "blockedBy": head["id"], "waiting": 1}
    ]
