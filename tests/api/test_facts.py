"""Posting and reading facts."""

from __future__ import annotations

import asyncpg
import pytest

from tests.api.world import World

pytestmark = pytest.mark.usefixtures("any_postgres")

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


async def test_a_posted_fact_is_recorded_with_its_intent_and_can_be_read(world: World) -> None:
    member = world.as_(world.member)
    posted = await member.post(
        "/v1/facts", {"type": "lead.created", "data": {"n": 1}, "stream": {"type": "lead", "id": "7"}}
    )
    fact = posted.json["data"]
    assert (posted.status, fact["type"], fact["tenant"], fact["data"]) == (201, "lead.created", "acme", {"n": 1})
    assert fact["stream"] == {"type": "lead", "id": "7"}
    assert fact["occurredAt"].endswith("Z")
    assert posted.headers["Location"] == f"/v1/facts/{fact['id']}"
    assert (await member.get(posted.headers["Location"])).json == posted.json
    assert (await member.get(f"/v1/outbox/{fact['id']}")).json["data"]["kind"] == "lead.created"


async def test_a_stream_id_may_be_an_integer_and_is_its_digits(world: World) -> None:
    member = world.as_(world.member)
    fact = await member.emit(stream={"type": "lead", "id": 7}, key="k")
    assert fact["stream"] == {"type": "lead", "id": "7"}
    assert await member.emit(stream={"type": "lead", "id": "7"}, key="k") == fact
    assert (await member.get(f"/v1/facts/{fact['id']}")).json["data"] == fact


async def test_numbers_keep_their_digits(world: World) -> None:
    body = '{"type": "lead.created", "data": {"big": 123456789012345678901234567890, "exact": 1.10}}'
    answer = await world.as_(world.member).call(
        "POST", "/v1/facts", data=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status == 201
    assert '"big": 123456789012345678901234567890' in answer.text
    assert '"exact": 1.10' in answer.text


async def test_the_same_key_gives_the_first_fact(world: World) -> None:
    member = world.as_(world.member)
    first = await member.emit(data={"n": 1}, key="k")
    assert await member.emit(data={"n": 2}, key="k") == first


async def test_the_actor_is_who_asked_whatever_the_body_says(world: World) -> None:
    given = {"actor": "user:boss", "depth": 99, "note": "kept"}
    fact = await world.as_(world.member).emit(metadata=given)
    assert fact["metadata"]["actor"] == f"user:{world.member.id}"
    assert "depth" not in fact["metadata"]
    assert fact["metadata"]["note"] == "kept"


async def test_the_request_id_correlates_unless_the_body_says_otherwise(world: World) -> None:
    member = world.as_(world.member, **{"X-Request-Id": "req-7"})
    answer = await member.post("/v1/facts", {"type": "lead.created"})
    assert answer.headers["X-Request-Id"] == "req-7"
    assert answer.json["data"]["metadata"]["correlation_id"] == "req-7"
    fact = await member.emit(metadata={"correlation_id": "mine"})
    assert fact["metadata"]["correlation_id"] == "mine"


async def test_a_request_id_that_is_none_is_replaced(world: World) -> None:
    for given in ("no spaces", "x" * 200, "a,b"):
        answer = await world.client.get("/healthz", headers={"X-Request-Id": given})
        assert len(answer.headers["X-Request-Id"]) == 32


async def test_the_callers_trace_goes_into_the_fact(world: World) -> None:
    fact = await world.as_(world.member, traceparent=TRACE).emit()
    assert fact["metadata"]["traceparent"] == TRACE
    fact = await world.as_(world.member, traceparent="garbage").emit()
    assert "traceparent" not in fact["metadata"]


async def test_run_at_is_when_its_intent_runs(world: World) -> None:
    member = world.as_(world.member)
    fact = await member.emit(runAt="2027-01-01T10:00:00+02:00")
    intent = (await member.get(f"/v1/outbox/{fact['id']}")).json["data"]
    assert intent["runAt"] == "2027-01-01T08:00:00Z"


async def test_pages_show_every_fact_once_newest_first(world: World) -> None:
    member = world.as_(world.member)
    ids = [(await member.emit(data={"n": n}))["id"] for n in range(7)]
    seen: list[str] = []
    cursor = ""
    for _ in range(4):
        page = (await member.get(f"/v1/facts?limit=2{cursor}")).json
        seen += [fact["id"] for fact in page["data"]]
        cursor = f"&cursor={page['pagination']['nextCursor']}"
    assert seen == ids[::-1]
    assert page["pagination"] == {"nextCursor": None, "hasMore": False}


async def test_facts_are_found_by_type_stream_and_time(world: World) -> None:
    member = world.as_(world.member)
    lead = await member.emit("lead.created", stream={"type": "lead", "id": "7"})
    await member.emit("lead.closed", stream={"type": "lead", "id": "8"})
    await member.emit("order.paid")

    async def found(query: str) -> list[str]:
        return [fact["type"] for fact in (await member.get(f"/v1/facts?{query}")).json["data"]]

    assert await found("type=lead.created") == ["lead.created"]
    assert await found("type=lead.*") == ["lead.closed", "lead.created"]
    assert await found("type=lea*") == ["lead.closed", "lead.created"]
    assert await found("streamType=lead&streamId=7") == ["lead.created"]
    assert await found(f"until={lead['occurredAt']}") == []
    assert await found(f"since={lead['occurredAt']}") == ["order.paid", "lead.closed", "lead.created"]


async def test_nobody_but_the_owner_can_change_a_fact(world: World) -> None:
    await world.as_(world.member).emit()
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await world.pool.execute("UPDATE tidings.facts SET type = 'x.y'")
