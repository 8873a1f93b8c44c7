"""Providers over HTTP: secrets go in and never come out, every fault is named, a test-send is a real one."""

from __future__ import annotations

from typing import Any

from tests.api.delivery_routes import PROVIDER
from tests.api.world import Client, World

CANARY = "canary of the provider"


async def made(client: Client, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/v1/providers", PROVIDER | fields)
    assert answer.status == 201, answer.text
    provider: dict[str, Any] = answer.json["data"]
    return provider


async def person(client: Client, **fields: Any) -> str:
    answer = await client.post("/v1/people", {"name": "Somebody", **fields})
    id: str = answer.json["data"]["id"]  # noqa: A001
    return id


async def test_a_secret_is_in_no_answer(world: World) -> None:
    admin = world.as_(world.admin)
    provider = await made(admin, rate={"count": 10, "period": "1s"}, concurrency=3, expiresAfter="2h")
    path = f"/v1/providers/{provider['id']}"
    changed = await admin.call("PATCH", path, json={"config": PROVIDER["config"] | {"password": 7}})
    answers = [
        await admin.get("/v1/providers"),
        await admin.get(path),
        await admin.post(f"{path}/close"),
        changed,
        await admin.call("PATCH", path, json={"priority": 5}),
        await admin.post("/v1/providers", PROVIDER),
    ]
    assert [answer.status for answer in answers] == [200, 200, 200, 422, 200, 409]
    assert not any(CANARY in answer.text for answer in answers)
    shown = answers[4].json["data"]
    assert (shown["rate"], shown["expiresAfter"]) == ({"count": 10, "period": "1s"}, "2h")
    assert shown["circuit"]["state"] == "closed"
    assert shown["config"]["host"] == "mail.example.com"


async def test_every_fault_is_named_by_its_field(world: World) -> None:
    wrong = {**PROVIDER, "config": {"port": "many", "host": "192.168.0.1", "fromAddress": "post@example.com"}}
    answer = await world.as_(world.admin).post("/v1/providers", wrong)
    assert (answer.status, [error["field"] for error in answer.json["errors"]]) == (422, ["config.port"])
    wrong["config"] = {"host": "192.168.0.1", "fromAddress": "post@example.com"}
    answer = await world.as_(world.admin).post("/v1/providers", wrong)
    message = "the host is not a public address; TIDINGS_NETWORK_ALLOW can allow it"
    assert answer.json["errors"] == [{"field": "config.host", "message": message}]


async def test_if_match_guards_a_change(world: World) -> None:
    admin = world.as_(world.admin)
    path = f"/v1/providers/{(await made(admin))['id']}"
    tag = (await admin.get(path)).headers["ETag"]
    assert (await admin.call("PATCH", path, json={"priority": 1}, headers={"If-Match": tag})).status == 200
    late = await admin.call("PATCH", path, json={"priority": 2}, headers={"If-Match": tag})
    assert (late.status, late.json["type"].rsplit("/", 1)[1]) == (412, "outdated")
    assert (await admin.call("PATCH", path, json={"rate": None, "concurrency": None})).status == 200


async def test_the_types_say_which_fields_are_secret(world: World) -> None:
    types = {each["type"]: each for each in (await world.as_(world.admin).get("/v1/provider-types")).json["data"]}
    assert {"smtp", "resend", "webhook", "sandbox", "none"} <= types.keys()
    assert types["resend"]["config"]["properties"]["apiKey"]["writeOnly"] is True
    assert types["sandbox"]["channels"].count("email") == 1


async def test_a_test_send_is_a_delivery_like_any_other(world: World) -> None:
    admin = world.as_(world.admin)
    path = f"/v1/providers/{(await made(admin))['id']}/test"
    tried = await admin.post(path, {"personId": await person(admin, email="somebody@example.com")})
    assert tried.status == 202
    delivery = (await admin.get(f"/v1/deliveries/{tried.json['data']['deliveryId']}")).json["data"]
    assert (delivery["status"], delivery["address"], delivery["history"]) == ("pending", "somebody@example.com", [])
    notice = (await admin.get(f"/v1/notices/{delivery['noticeId']}")).json["data"]
    assert (notice["listener"], notice["factId"], notice["tally"]["open"]) == ("test", None, 1)
    assert (await admin.post(path, {"personId": await person(admin)})).status == 409
    misspelt = await admin.post(path, {"personId": delivery["personId"], "template": "recipt"})
    assert (misspelt.status, misspelt.json["errors"][0]["field"]) == (422, "template")


async def test_as_many_mails_are_under_way_as_there_are_connections_unless_said_otherwise(world: World) -> None:
    admin = world.as_(world.admin)
    mail = {"host": "mail.example.com", "fromAddress": "post@example.com"}
    body = {"channel": "email", "type": "smtp", "name": "a", "config": mail}
    made = (await admin.post("/v1/providers", body)).json["data"]
    limited = (await admin.post("/v1/providers", body | {"name": "b", "concurrency": 2})).json["data"]
    assert (made["concurrency"], limited["concurrency"]) == (4, 2)
    more = {"config": mail | {"connections": 9}}
    changed = [await admin.call("PATCH", f"/v1/providers/{each['id']}", json=more) for each in (made, limited)]
    assert [each.json["data"]["concurrency"] for each in changed] == [9, 2]
    free = await admin.call("PATCH", f"/v1/providers/{made['id']}", json={"concurrency": None})
    assert free.json["data"]["concurrency"] is None


async def test_members_have_no_business_here(world: World) -> None:
    member = world.as_(world.member)
    for path in ("/v1/providers", "/v1/provider-types", "/v1/notices", "/v1/deliveries", "/v1/sandbox"):
        assert (await member.get(path)).status == 403, path


async def test_one_that_something_waits_for_is_removed_only_where_another_takes_it(world: World) -> None:
    admin = world.as_(world.admin)
    path = f"/v1/providers/{(await made(admin))['id']}"
    await admin.post(f"{path}/test", {"personId": await person(admin, email="somebody@example.com")})
    assert (await admin.call("DELETE", path)).status == 409
    await made(admin, name="other")
    assert (await admin.call("DELETE", path)).status == 204
    assert (await admin.get(path)).status == 404
    waiting = await world.pool.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = 'notice.fail_over'")
    assert waiting == 1


async def test_where_receipts_go_is_told_for_types_that_have_them(world: World) -> None:
    admin = world.as_(world.admin)
    config = {"fromAddress": "post@example.com", "apiKey": "a key of the provider"}
    resend = await made(admin, type="resend", name="Resend", config=config)
    assert resend["receiptsUrl"].startswith("http")
    assert resend["receiptsUrl"].endswith(f"/v1/receipts/{resend['id']}")
    assert (await made(admin))["receiptsUrl"] is None
