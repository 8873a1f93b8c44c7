"""What the sandbox kept, over HTTP."""

from __future__ import annotations

from uuid import uuid4

from tests.api.delivery_routes import deliveries_of, keep
from tests.api.world import World


async def test_kept_messages_are_listed_opened_and_cleared(world: World) -> None:
    admin = world.as_(world.admin)
    ids = [str(uuid4()) for _ in range(3)]
    for kept in ids:
        await keep(world, world.pool, "acme", kept)
    theirs = str(uuid4())
    await keep(world, world.pool, "globex", theirs)
    page = (await admin.get("/v1/sandbox?limit=2&channel=email")).json
    rest = (await admin.get(f"/v1/sandbox?limit=2&cursor={page['pagination']['nextCursor']}")).json
    assert [message["id"] for message in page["data"] + rest["data"]] == ids[::-1]
    assert (await admin.get("/v1/sandbox?channel=sms")).json["data"] == []
    message = (await admin.get(f"/v1/sandbox/{ids[0]}")).json["data"]
    assert (message["subject"], message["html"], message["to"]) == ("canary", "<p>canary</p>", "canary@example.org")
    assert (await admin.call("DELETE", "/v1/sandbox")).json["data"] == {"removed": 3}
    assert (await world.as_(world.stranger).get(f"/v1/sandbox/{theirs}")).status == 200


async def test_what_another_master_key_sealed_is_shown_without_its_content(world: World) -> None:
    kept = str(uuid4())
    await keep(world, world.pool, "acme", kept)
    await world.pool.execute("UPDATE tidings.sandbox_messages SET sealed = '\\x00'")
    answer = await world.as_(world.admin).get(f"/v1/sandbox/{kept}")
    assert (answer.status, answer.json["data"]["to"]) == (200, None)


async def test_kept_messages_are_found_by_whom_they_were_for(world: World) -> None:
    admin = world.as_(world.admin)
    bodies = ({"name": name, "email": f"{name}@example.com"} for name in "ab")
    people = [(await admin.post("/v1/people", body)).json["data"]["id"] for body in bodies]
    told = (await deliveries_of(world, admin, "acme", people[0]))["delivery"]
    await keep(world, world.pool, "acme", str(uuid4()))
    found = [(await admin.get(f"/v1/sandbox?personId={person}")).json["data"] for person in people]
    assert [[message["id"] for message in of_one] for of_one in found] == [[told], []]
    assert (await admin.get("/v1/sandbox?personId=nobody")).status == 422
