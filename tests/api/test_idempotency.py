"""The same Idempotency-Key and body give the stored reply; another body gives 422; another's key is unknown."""

from __future__ import annotations

import asyncio

from tests.api.world import Client, World, api_settings, running


def with_key(client: Client, key: str) -> Client:
    return Client(client.base, client.http, {**client.headers, "Idempotency-Key": key})


async def test_a_repeated_post_gives_the_first_reply(world: World) -> None:
    member = with_key(world.as_(world.member), "once")
    first = await member.post("/v1/facts", {"type": "lead.created", "data": {"a": 1, "b": 2}})
    again = await member.post("/v1/facts", {"data": {"b": 2, "a": 1}, "type": "lead.created"})
    assert (again.status, again.text) == (201, first.text)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.facts") == 1


async def test_another_body_or_another_route_is_refused(world: World) -> None:
    admin = with_key(world.as_(world.admin), "once")
    await admin.post("/v1/facts", {"type": "lead.created"})
    other = await admin.post("/v1/facts", {"type": "lead.closed"})
    assert other.status == 422
    assert other.json["errors"] == [{"field": "Idempotency-Key", "message": "was used for another request"}]
    assert (await admin.post("/v1/outbox/redrive", {})).status == 422
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.facts") == 1


async def test_anothers_key_is_unknown(world: World) -> None:
    ids = set()
    for person in (world.member, world.admin, world.stranger):
        answer = await with_key(world.as_(person), "shared").post("/v1/facts", {"type": "lead.created"})
        assert "Idempotent-Replayed" not in answer.headers
        ids.add(answer.json["data"]["id"])
    assert len(ids) == 3


async def test_a_refused_request_leaves_its_key_free(world: World) -> None:
    member = with_key(world.as_(world.member), "once")
    assert (await member.post("/v1/facts", {"type": "Wrong"})).status == 422
    assert (await member.post("/v1/facts", {"type": "event.reserved"})).status == 403
    assert (await member.post("/v1/facts", {"type": "lead.created"})).status == 201


async def test_of_many_at_once_one_writes_and_all_get_its_reply(world: World) -> None:
    member = with_key(world.as_(world.member), "once")
    answers = await asyncio.gather(*(member.post("/v1/facts", {"type": "lead.created"}) for _ in range(40)))
    assert {answer.text for answer in answers} == {answers[0].text}
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.facts") == 1


async def test_of_many_at_once_on_two_processes_one_makes_the_key(world: World) -> None:
    body = {"name": "ci", "scopes": ["facts:write"]}
    async with running(world.settings) as second:
        clients = [with_key(c.acting(world.admin.key), "once") for c in (world.client, second)]
        answers = await asyncio.gather(*(clients[n % 2].post("/v1/keys", body) for n in range(20)))
    assert {answer.status for answer in answers} == {201}
    assert len({answer.json["data"]["secret"] for answer in answers}) == 1
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.api_keys WHERE name = 'ci'") == 1


async def test_a_change_is_done_once(world: World) -> None:
    admin = world.as_(world.admin)
    fact = await admin.emit()
    once = with_key(admin, "move")
    body = {"runAt": "2027-01-01T00:00:00Z"}
    first = await once.post(f"/v1/outbox/{fact['id']}/reschedule", body)
    await admin.post(f"/v1/outbox/{fact['id']}/reschedule", {"runAt": "2027-02-01T00:00:00Z"})
    again = await once.post(f"/v1/outbox/{fact['id']}/reschedule", body)
    assert again.text == first.text
    now = (await admin.get(f"/v1/outbox/{fact['id']}")).json["data"]
    assert (now["runAt"], now["generation"]) == ("2027-02-01T00:00:00Z", 2)


async def test_kept_replies_cannot_be_read_in_the_database(world: World) -> None:
    admin = with_key(world.as_(world.admin), "once")
    secret = (await admin.post("/v1/keys", {"name": "ci", "scopes": ["facts:write"]})).json["data"]["secret"]
    rows = await world.pool.fetch("SELECT reply FROM tidings.idempotency_keys")
    assert len(rows) == 1
    assert secret.encode() not in rows[0]["reply"]


async def test_an_expired_key_may_be_used_again(world: World) -> None:
    member = with_key(world.as_(world.member), "once")
    await member.post("/v1/facts", {"type": "lead.created"})
    await world.pool.execute("UPDATE tidings.idempotency_keys SET expires_at = now() - interval '1 second'")
    assert (await member.post("/v1/facts", {"type": "lead.closed"})).json["data"]["type"] == "lead.closed"


async def test_after_a_cut_connection_the_retry_gets_the_reply(world: World) -> None:
    host, port = world.client.base.removeprefix("http://").split(":")
    body = b'{"type":"lead.created"}'
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        b"POST /v1/facts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nIdempotency-Key: cut\r\n"
        b"Authorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s" % (world.member.key.encode(), len(body), body)
    )
    await writer.drain()
    writer.transport.abort()
    answer = await with_key(world.as_(world.member), "cut").post("/v1/facts", {"type": "lead.created"})
    assert answer.status == 201
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.facts") == 1


async def test_a_key_is_kept_as_long_as_is_set(database_url: str, world: World) -> None:
    settings = api_settings(database_url, api={"idempotency_window": "1h"})
    async with running(settings) as client:
        await with_key(client.acting(world.member.key), "once").post("/v1/facts", {"type": "lead.created"})
    kept = await world.pool.fetchval(
        "SELECT expires_at BETWEEN now() + interval '55 minutes' AND now() + interval '1 hour' "
        "FROM tidings.idempotency_keys"
    )
    assert kept
