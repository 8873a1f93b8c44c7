"""Bad input gets a clear 4xx as problem+json, and writes nothing."""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any

from tests.api.world import Client, World, token
from tidings.api.advice import ADVICE
from tidings.kit.errors import Misconfigured, TidingsError, WrongConnection

JSON = {"Content-Type": "application/json"}

BODIES: dict[str, tuple[bytes, int, str]] = {
    "not JSON": (b"{", 422, "body"),
    "empty": (b"", 422, "body"),
    "not UTF-8": (b'{"type": "lead.\xff"}', 422, "body"),
    "UTF-16": ('{"type": "lead.created"}'.encode("utf-16"), 422, "body"),
    "byte order mark": (b'\xef\xbb\xbf{"type": "lead.created"}', 422, "body"),
    "a list": (b"[]", 422, "body"),
    "a string": (b'"lead.created"', 422, "body"),
    "NaN": (b'{"type": "lead.created", "data": {"n": NaN}}', 422, "body"),
    "Infinity": (b'{"type": "lead.created", "data": {"n": -Infinity}}', 422, "body"),
    "1e400": (b'{"type": "lead.created", "data": {"n": 1e400}}', 422, "body"),
    "400 digits": (b'{"type": "lead.created", "data": {"n": 1%s}}' % (b"0" * 400), 422, "data"),
    "5000 digits": (b'{"type": "lead.created", "data": {"n": 1%s}}' % (b"0" * 5000), 422, "body"),
    "a key twice": (b'{"type": "lead.created", "data": {"n": 1, "n": 2}}', 422, "body"),
    "type twice": (b'{"type": "lead.created", "type": "lead.closed"}', 422, "body"),
    "NUL": (b'{"type": "lead.created", "data": {"n": "\\u0000"}}', 422, "data"),
    "NUL in a key": (b'{"type": "lead.created", "data": {"\\u0000": 1}}', 422, "data"),
    "NUL in the fact's key": (b'{"type": "lead.created", "key": "a\\u0000"}', 422, "data"),
    "half a surrogate pair": (b'{"type": "lead.created", "data": {"n": "\\ud800"}}', 422, "data"),
    "the other half": (b'{"type": "lead.created", "stream": {"type": "lead", "id": "\\udc00"}}', 422, "data"),
    "depth 10,000": (b'{"type": "lead.created", "data": {"n": %s%s}}' % (b"[" * 10_000, b"]" * 10_000), 422, "body"),
    "depth 500": (b'{"type": "lead.created", "data": {"n": %s%s}}' % (b"[" * 500, b"]" * 500), 422, "data"),
    "no type": (b'{"data": {}}', 422, "type"),
    "type of another kind": (b'{"type": 7}', 422, "type"),
    "type in capitals": (b'{"type": "Lead.Created"}', 422, "type"),
    "type of one word": (b'{"type": "lead"}', 422, "type"),
    "megabyte type": (b'{"type": "lead.%s"}' % (b"x" * 900_000), 422, "type"),
    "data is a list": (b'{"type": "lead.created", "data": []}', 422, "data"),
    "data is null": (b'{"type": "lead.created", "data": null}', 422, "data"),
    "tenantId": (b'{"type": "lead.created", "tenantId": "globex"}', 422, "tenantId"),
    "tenant": (b'{"type": "lead.created", "tenant": "globex"}', 422, "tenant"),
    "stream without id": (b'{"type": "lead.created", "stream": {"type": "lead"}}', 422, "stream"),
    "stream with more": (b'{"type": "lead.created", "stream": {"type": "lead", "id": "1", "x": 1}}', 422, "stream"),
    "stream id is a fraction": (b'{"type": "lead.created", "stream": {"type": "lead", "id": 7.5}}', 422, "stream"),
    "stream id is a bool": (b'{"type": "lead.created", "stream": {"type": "lead", "id": true}}', 422, "stream"),
    "stream id is null": (b'{"type": "lead.created", "stream": {"type": "lead", "id": null}}', 422, "stream"),
    "stream id too long": (
        b'{"type": "lead.created", "stream": {"type": "lead", "id": 1%s}}' % (b"0" * 255),
        422,
        "stream",
    ),
    "stream type is a number": (b'{"type": "lead.created", "stream": {"type": 7, "id": "7"}}', 422, "stream"),
    "stream type in capitals": (b'{"type": "lead.created", "stream": {"type": "LEAD", "id": "7"}}', 422, "stream"),
    "stream id empty": (b'{"type": "lead.created", "stream": {"type": "lead", "id": ""}}', 422, "stream"),
    "key empty": (b'{"type": "lead.created", "key": ""}', 422, "key"),
    "key too long": (b'{"type": "lead.created", "key": "%s"}' % (b"k" * 513), 422, "key"),
    "run at no time": (b'{"type": "lead.created", "runAt": "tomorrow"}', 422, "runAt"),
    "run at without offset": (b'{"type": "lead.created", "runAt": "2027-01-01T00:00:00"}', 422, "runAt"),
    "run at a day that is not": (b'{"type": "lead.created", "runAt": "2027-02-30T00:00:00Z"}', 422, "runAt"),
    "run at year 1": (b'{"type": "lead.created", "runAt": "0001-01-01T00:00:00+14:00"}', 422, "runAt"),
    "run at year 9999": (b'{"type": "lead.created", "runAt": "9999-12-31T23:59:59-14:00"}', 422, "runAt"),
    "run at long ago": (b'{"type": "lead.created", "runAt": "2020-01-01T00:00:00Z"}', 422, "runAt"),
    "run at far ahead": (b'{"type": "lead.created", "runAt": "2099-01-01T00:00:00Z"}', 422, "runAt"),
    "run at a number": (b'{"type": "lead.created", "runAt": 1}', 422, "runAt"),
    "metadata is a list": (b'{"type": "lead.created", "metadata": []}', 422, "metadata"),
    "metadata too large": (b'{"type": "lead.created", "metadata": {"x": "%s"}}' % (b"x" * 5000), 422, "metadata"),
    "caused by nothing": (b'{"type": "lead.created", "metadata": {"causation_id": "x"}}', 422, "metadata"),
    "reserved": (b'{"type": "reservation.requested"}', 403, ""),
    "data over its limit": (b'{"type": "lead.created", "data": {"x": "%s"}}' % (b"x" * 300_000), 413, ""),
    "body over its limit": (b'{"type": "lead.created", "data": {"x": "%s"}}' % (b"x" * 1_100_000), 413, ""),
}


def assert_problem(answer: Any, status: int) -> None:
    assert answer.status == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json["status"] == status
    assert answer.json.keys() >= {"type", "title", "status", "detail", "instance"}
    assert "Traceback" not in answer.text


async def test_every_bad_body_is_refused_and_nothing_is_written(world: World) -> None:
    member = world.as_(world.member)
    for name, (body, status, field) in BODIES.items():
        answer = await member.call("POST", "/v1/facts", data=BytesIO(body), headers=JSON)
        assert answer.status == status, (name, answer.text[:300])
        assert_problem(answer, status)
        if field:
            assert field in [fault["field"] for fault in answer.json["errors"]], name
    assert (await member.get("/v1/facts")).json["data"] == []
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.outbox") == 0


async def test_only_json_is_taken(world: World) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/xml", "", "json"):
        answer = await world.as_(world.member).call(
            "POST", "/v1/facts", data=b'{"type": "lead.created"}', headers={"Content-Type": kind}
        )
        assert_problem(answer, 415)


async def test_json_may_say_its_charset(world: World) -> None:
    answer = await world.as_(world.member).call(
        "POST",
        "/v1/facts",
        data=b'{"type": "lead.created"}',
        headers={"Content-Type": 'application/json; charset="UTF-8"'},
    )
    assert answer.status == 201


async def test_a_body_without_length_is_cut_off_at_the_limit(world: World) -> None:
    async def endless() -> Any:
        for _ in range(40):
            yield b"x" * 65_536

    answer = await world.as_(world.member).call("POST", "/v1/facts", data=endless(), headers=JSON)
    assert_problem(answer, 413)


NOWHERE = ["not-an-id", "0" * 10_000, "%00", "..%2f..%2fetc", "00000000-0000-0000-0000-000000000000", "%ed%a0%80"]


async def test_an_id_that_cannot_be_is_not_found(world: World) -> None:
    admin = world.as_(world.admin)
    for nowhere in NOWHERE:
        assert_problem(await admin.get(f"/v1/facts/{nowhere}"), 404)
        assert_problem(await admin.get(f"/v1/outbox/{nowhere}"), 404)
        assert_problem(await admin.post(f"/v1/outbox/{nowhere}/retry"), 404)
        assert_problem(await admin.call("DELETE", f"/v1/keys/{nowhere}"), 404)


async def test_a_megabyte_of_address_is_refused(world: World) -> None:
    answer = await world.as_(world.member).get(f"/v1/facts/{'0' * 1_000_000}")
    assert answer.status == 431
    assert (await world.client.get("/healthz")).status == 200


QUERIES = [
    "limit=0",
    "limit=101",
    "limit=x",
    "limit=99999999999999999999",
    "cursor=garbage",
    "cursor=AAAA",
    "cursor=%00",
    f"cursor={'x' * 5000}",
    "type=%00",
    "type=A",
    "streamType=%27",
    f"streamId={'x' * 300}",
    "streamId=%00",
    "since=yesterday",
    "until=2027-13-01T00:00:00Z",
]


async def test_a_query_that_means_nothing_is_not_valid(world: World) -> None:
    for query in QUERIES:
        answer = await world.as_(world.member).get(f"/v1/facts?{query}")
        assert_problem(answer, 422)
        assert answer.json["errors"], query


async def test_the_type_of_every_problem_leads_to_a_page(world: World) -> None:
    answer = await world.client.get("/v1/facts")
    path = answer.json["type"].removeprefix(answer.json["type"].partition("/errors/")[0])
    page = await world.client.get(path)
    assert (page.status, path) == (200, "/errors/unauthenticated")
    assert "Status 401" in page.text
    kinds = _below(TidingsError) - {Misconfigured, WrongConnection}
    answered = {kind for kind in kinds if kind.__module__.startswith(("tidings.api", "tidings.kit.errors"))}
    assert {kind.slug for kind in answered} == {kind.slug for kind in ADVICE}
    for kind in ADVICE:
        assert (await world.client.get(f"/errors/{kind.slug}")).status == 200, kind
    assert_problem(await world.client.get("/errors/nonsense"), 404)


def _below(kind: type[TidingsError]) -> set[type[TidingsError]]:
    return {kind, *(found for below in kind.__subclasses__() for found in _below(below))}


async def test_a_parameter_that_is_not_known_is_refused_by_every_list(world: World) -> None:
    admin = world.as_(world.admin)
    await admin.emit()
    for path in ("/v1/facts", "/v1/outbox", "/v1/keys", "/v1/outbox/stats"):
        answer = await admin.get(f"{path}?kinds=order.paid&limit=5")
        assert_problem(answer, 422)
        assert answer.json["errors"][0]["field"] == "kinds"
    answer = await admin.get("/v1/outbox?kinds=order.paid")
    assert answer.json["detail"] == "kinds: is not known here; did you mean kind?"
    assert (await world.client.get("/v1/outbox?kinds=x")).status == 401


async def test_the_outbox_refuses_bad_queries_and_bodies(world: World) -> None:
    admin = world.as_(world.admin)
    fact = await admin.emit()
    for query in ("status=lost", "kind=%00", "keyPrefix=%00", "keyPrefix=", "cursor=x"):
        assert_problem(await admin.get(f"/v1/outbox?{query}"), 422)
    bodies: tuple[Any, ...] = (
        {},
        {"runAt": None},
        {"runAt": "soon"},
        {"runAt": "2099-01-01T00:00:00Z"},
        {"runAt": 5},
        [],
    )
    for body in bodies:
        assert_problem(await admin.post(f"/v1/outbox/{fact['id']}/reschedule", body), 422)
    for body in ({"kind": "\x00"}, {"error": ""}, {"tenant": "globex"}, {"since": 1}, {"error": "\ud800"}):
        assert_problem(await admin.post("/v1/outbox/redrive", body), 422)


async def test_keys_refuse_bad_bodies(world: World) -> None:
    admin = world.as_(world.admin)
    for body in (
        {"name": "", "scopes": ["facts:read"]},
        {"name": "a\nb", "scopes": ["facts:read"]},
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["everything"]},
        {"name": "x", "scopes": ["facts:read"], "expiresAt": "2020-01-01T00:00:00Z"},
        {"name": "x", "scopes": ["facts:read"], "userId": str(world.stranger.id)},
        {"name": "\ud800", "scopes": ["facts:read"]},
    ):
        assert_problem(await admin.post("/v1/keys", body), 422)


async def test_an_idempotency_key_is_visible_ascii(world: World) -> None:
    for key in ("", "a b", "x" * 256, "ü"):
        member = world.as_(world.member, **{"Idempotency-Key": key})
        assert_problem(await member.post("/v1/facts", {"type": "lead.created"}), 422)


async def test_addresses_and_methods_that_are_not_there_are_problems_too(world: World) -> None:
    assert_problem(await world.client.get("/v1/nowhere"), 404)
    assert_problem(await world.client.get("/v1/facts/"), 404)
    answer = await world.client.call("PUT", "/v1/facts")
    assert_problem(answer, 405)
    assert answer.headers["Allow"] == "GET, POST"


async def test_requests_that_are_not_http_do_not_stop_the_server(world: World) -> None:
    host, port = world.client.base.removeprefix("http://").split(":")
    for garbage in (
        b"\x16\x03\x01\x02\x00",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /v1/facts HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    ):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(garbage)
        await reader.read()
        writer.close()
    assert (await world.client.get("/healthz")).status == 200


async def test_errors_never_show_what_is_inside(world: World) -> None:
    unknown = Client(world.client.base, world.client.http, {})
    for credential in (token(tenant="nowhere"), "tdk_" + "x" * 43, "x.y.z"):
        answer = await unknown.acting(credential).get("/v1/facts")
        assert_problem(answer, 401)
        assert answer.json["detail"] == "Sign in, or send a valid bearer token or API key"
