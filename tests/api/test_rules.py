"""Rules over HTTP: made, changed, tried, deleted; every fault by its field."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from tests.api.world import Client, World

PAID: dict[str, Any] = {
    "name": "Paid orders",
    "factType": "order.paid",
    "conditions": {"all": [{"field": "amount", "greater": 100}, {"field": "country", "in": ["IT", "DE"]}]},
    "audience": [{"by": "group", "field": "shop"}, {"by": "userType", "values": ["manager"]}],
    "title": "Order {{ data.id }} is paid",
    "body": "{{ data.amount }} in {{ data.country }}",
    "channels": ["email", "push"],
    "level": "warning",
    "category": "orders",
    "delay": "15m",
}
FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"name": ""}, "name"),
    ({"name": None}, "name"),
    ({"factType": "*"}, "factType"),
    ({"factType": "Order.Paid"}, "factType"),
    ({"factType": "order.*.paid"}, "factType"),
    ({"conditions": {"all": [{"field": "a", "greater": "x"}]}}, "conditions.all.0.greater"),
    ({"audience": []}, "audience"),
    ({"audience": [{"by": "person", "values": ["x"]}]}, "audience.0.values.0"),
    ({"channels": []}, "channels"),
    ({"channels": ["pigeon"]}, "channels.0"),
    ({"template": "not.there"}, "template"),
    ({"level": "loud"}, "level"),
    ({"delay": "soon"}, "delay"),
    ({"category": "No Slug"}, "category"),
    ({"title": "{{ data.id"}, "title"),
    ({"body": "one\n{{ person.name }}"}, "body"),
    ({"tenantId": "globex"}, "tenantId"),
    ({"enabled": "yes"}, "enabled"),
]
ORDER = {"id": 7, "amount": 140, "country": "IT", "shop": "north"}


async def make(client: Client, **changes: Any) -> dict[str, Any]:
    answer = await client.post("/v1/rules", PAID | changes)
    assert answer.status == 201, answer.text
    rule: dict[str, Any] = answer.json["data"]
    return rule


async def test_a_rule_is_shown_as_it_was_made(world: World) -> None:
    admin = world.as_(world.admin)
    made = await make(admin)
    audience = [
        {"by": "group", "values": None, "field": "shop", "userType": None},
        {"by": "userType", "values": ["manager"], "field": None, "userType": None},
    ]
    defaults = {"enabled": True, "version": 1, "template": "notice", "shared": False, "properties": {}}
    assert made == PAID | defaults | {name: made[name] for name in ("id", "createdAt", "updatedAt")} | {
        "audience": audience
    }
    answer = await admin.get(f"/v1/rules/{made['id']}")
    assert (answer.json["data"], answer.headers["ETag"]) == (made, '"1"')


async def test_what_is_shown_can_be_sent_again(world: World) -> None:
    admin = world.as_(world.admin)
    made = await make(admin)
    sent = {name: value for name, value in made.items() if name not in {"id", "version", "createdAt", "updatedAt"}}
    answer = await admin.call("PATCH", f"/v1/rules/{made['id']}", json=sent)
    assert answer.json["data"] == made


async def test_numbers_of_any_size_are_kept(world: World) -> None:
    large = {"properties": {"n": -1.5e56, "m": 10**40}, "conditions": {"field": "a", "less": 1.7e308}}
    made = await make(world.as_(world.admin), **large)
    assert (float(made["properties"]["n"]), made["properties"]["m"]) == (-1.5e56, 10**40)
    assert float(made["conditions"]["less"]) == 1.7e308
    assert (await world.as_(world.admin).get(f"/v1/rules/{made['id']}")).json["data"] == made


async def test_the_same_request_again_makes_no_second_rule(world: World) -> None:
    admin = world.as_(world.admin, **{"Idempotency-Key": "one"})
    first, second = await admin.post("/v1/rules", PAID), await admin.post("/v1/rules", PAID)
    assert (first.status, second.status, first.json) == (201, 201, second.json)
    assert len((await admin.get("/v1/rules")).json["data"]) == 1


async def test_a_name_is_taken_once(world: World) -> None:
    admin = world.as_(world.admin)
    await make(admin)
    other = await make(admin, name="Other")
    assert (await admin.post("/v1/rules", PAID)).status == 409
    assert (await admin.call("PATCH", f"/v1/rules/{other['id']}", json={"name": "Paid orders"})).status == 409


async def test_every_change_is_a_version(world: World) -> None:
    admin = world.as_(world.admin)
    made = await make(admin)
    path = f"/v1/rules/{made['id']}"
    off = (await admin.call("PATCH", path, json={"enabled": False, "conditions": None, "delay": None})).json["data"]
    assert (off["enabled"], off["conditions"], off["delay"], off["version"]) == (False, None, None, 2)
    assert off["title"] == made["title"]
    assert (await admin.call("DELETE", path)).status == 204
    assert (await admin.get(path)).status == 404
    versions = (await admin.get(f"{path}/versions?limit=1")).json
    assert [each["version"] for each in versions["data"]] == [2]
    rest = (await admin.get(f"{path}/versions?cursor={versions['pagination']['nextCursor']}")).json["data"]
    assert [(each["version"], each["changedBy"]) for each in rest] == [(1, f"user:{world.admin.id}")]


async def test_if_match_keeps_from_changing_what_one_has_not_seen(world: World) -> None:
    admin = world.as_(world.admin)
    path = f"/v1/rules/{(await make(admin))['id']}"
    for version, status in (
        ('"1"', 200),
        ('"1"', 412),
        ('"2"', 200),
        ("*", 200),
        ("4", 200),
        ("3", 412),
        ("x", 422),
        ('W/"3"', 422),
    ):
        changes = {"title": f"Changed {uuid4()}"}
        answer = await admin.call("PATCH", path, json=changes, headers={"If-Match": version})
        assert answer.status == status, (version, answer.text)


async def test_lists_are_filtered(world: World) -> None:
    admin = world.as_(world.admin)
    await make(admin)
    await make(admin, name="All orders", factType="order.*", enabled=False)
    for query, names in (
        ("", ["All orders", "Paid orders"]),
        ("?factType=order.*", ["All orders"]),
        ("?enabled=true", ["Paid orders"]),
        ("?enabled=false&factType=order.paid", []),
    ):
        assert [rule["name"] for rule in (await admin.get(f"/v1/rules{query}")).json["data"]] == names


async def test_every_fault_is_named_by_its_field(world: World) -> None:
    admin = world.as_(world.admin)
    path = f"/v1/rules/{(await make(admin))['id']}"
    for changes, named in FAULTS:
        for answer in (
            await admin.post("/v1/rules", PAID | changes),
            await admin.call("PATCH", path, json=changes),
        ):
            assert answer.status == 422, answer.text
            assert [error["field"] for error in answer.json["errors"]] == [named]
        answer = await admin.post("/v1/rules/dry-run", {"rule": PAID | changes})
        assert [error["field"] for error in answer.json["errors"]] == [f"rule.{named}"]


async def test_all_faults_are_told_at_once(world: World) -> None:
    broken = PAID | {"title": "{{ data.id", "level": "loud", "template": "not.there", "channels": []}
    answer = await world.as_(world.admin).post("/v1/rules", broken)
    assert {error["field"] for error in answer.json["errors"]} == {"title", "level", "template", "channels"}


async def test_members_and_keys_without_the_scope_are_refused(world: World) -> None:
    assert (await world.as_(world.member).get("/v1/rules")).status == 403
    key = await world.as_(world.admin).post("/v1/keys", {"name": "reader", "scopes": ["rules:read"]})
    reader = world.client.acting(key.json["data"]["secret"])
    assert (await reader.get("/v1/rules")).status == 200
    assert (await reader.post("/v1/rules", PAID)).status == 403
    assert (await reader.post("/v1/rules/dry-run", {"rule": PAID})).status == 403


async def test_a_dry_run_says_who_would_have_been_told_what_and_why_not(world: World) -> None:
    admin = world.as_(world.admin)
    await _people(world)
    for data in (ORDER, ORDER | {"amount": 40}, {"amount": 200, "country": "IT"}):
        await admin.emit("order.paid", data=data)
    answer = await admin.post("/v1/rules/dry-run", {"rule": {k: v for k, v in PAID.items() if k != "name"}})
    trial = answer.json["data"]
    unsayable, cheap, good = trial["facts"]
    assert (trial["matched"], trial["complete"]) == (2, True)
    assert (good["title"], good["body"]) == ("Order 7 is paid", "140 in IT")
    assert good["audience"]["count"] == 2
    assert [(each["name"], each["channels"]) for each in good["audience"]["people"]] == [
        ("Cook of the north", {"email": True, "push": False}),
        ("Manager", {"email": False, "push": False}),
    ]
    assert (cheap["matched"], cheap["reason"]) == (False, "amount is 40, not greater than 100")
    assert cheap["audience"] is cheap["title"] is None
    assert unsayable["matched"]
    assert "id" in unsayable["fault"]


async def test_a_dry_run_of_one_fact_or_a_span_of_time(world: World) -> None:
    admin = world.as_(world.admin)
    path = f"/v1/rules/{(await make(admin))['id']}/dry-run"
    fact = await admin.emit("order.paid", data=ORDER)
    other = await admin.emit("lead.created")
    for _ in range(2):
        await admin.emit("order.paid", data=ORDER)
    assert len((await admin.post(path, {"limit": 2})).json["data"]["facts"]) == 2
    span = {"since": fact["occurredAt"], "until": other["occurredAt"]}
    assert [each["factId"] for each in (await admin.post(path, span)).json["data"]["facts"]] == [fact["id"]]
    one = (await admin.post(path, {"factId": other["id"]})).json["data"]["facts"]
    assert [each["reason"] for each in one] == ["the fact is of type lead.created, not order.paid"]
    wrong: Any
    for wrong in ({"limit": 201}, {"limit": 0}, {"people": 51}, {"factId": "x"}, {"colour": "red"}, []):
        assert (await admin.post(path, wrong)).status == 422, wrong
    assert (await admin.post(path, {"factId": str(uuid4())})).status == 404


async def _people(world: World) -> None:
    async with world.pool.acquire() as connection:
        cook = await connection.fetchval(
            "INSERT INTO tidings.people (tenant, name) VALUES ('acme', 'Cook of the north') RETURNING id"
        )
        await connection.execute(
            """INSERT INTO tidings.people (tenant, name, user_type)
               VALUES ('acme', 'Manager', 'manager'), ('acme', 'Guest', 'guest'), ('globex', 'Stranger', 'manager')"""
        )
        await connection.execute(
            """WITH shop AS (INSERT INTO tidings.groups (tenant, external_id, name)
                             VALUES ('acme', 'north', 'North') RETURNING id)
               INSERT INTO tidings.group_members SELECT 'acme', id, $1 FROM shop""",
            cook,
        )
        await connection.execute(
            """INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
               VALUES ('acme', $1, 'email', 'cook@example.com', 'cook@example.com')""",
            cook,
        )
