"""Ids of another tenant in bodies, filters, cursors and resume positions: as if they were nobody's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from tests.api import event_routes, integration_routes, organization_routes, report_routes
from tests.api.belongings import Ids, nobodys, seen_by, things_of, without_instance
from tests.api.rule_routes import RULE as THEIRS
from tests.api.sockets import listening
from tests.api.world import Client, World
from tests.notify.telling import add_person, told, told_live

Asked = tuple[str, str, Any]
RULE = THEIRS | {"title": "ours", "body": "ours"}
TEMPLATE = "/v1/templates/{name}/sms"
# Each with one id that is theirs in the midst of what is ours.
IN_THE_MIDST: dict[str, Callable[[Ids, Ids], Asked]] = {
    "members of a group": lambda o, t: ("POST", f"/v1/groups/{o['group']}/members", {"people": [t["person"]]}),
    "a member": lambda o, t: ("PUT", f"/v1/groups/{o['group']}/members/{t['person']}", None),
    "a group for ours": lambda o, t: ("PUT", f"/v1/groups/{t['group']}/members/{o['person']}", None),
    "a member gone": lambda o, t: ("DELETE", f"/v1/groups/{o['group']}/members/{t['person']}", None),
    "an address": lambda o, t: ("DELETE", f"/v1/people/{o['person']}/addresses/{t['address']}", None),
    "an address enabled": lambda o, t: ("POST", f"/v1/people/{o['person']}/addresses/{t['address']}/enable", None),
    "a test to theirs": lambda o, t: ("POST", f"/v1/providers/{o['provider']}/test", {"personId": t["person"]}),
    "a test through theirs": lambda o, t: ("POST", f"/v1/providers/{t['provider']}/test", {"personId": o["person"]}),
    "a preview for theirs": lambda o, t: (
        "POST",
        "/v1/templates/preview",
        {"channel": "sms", "personId": t["person"], "factId": o["fact"]},
    ),
    "a preview of theirs": lambda o, t: (
        "POST",
        "/v1/templates/preview",
        {"channel": "sms", "personId": o["person"], "factId": t["fact"]},
    ),
    "a dry run": lambda o, t: ("POST", f"/v1/rules/{o['rule']}/dry-run", {"factId": t["fact"]}),
    "an audience": lambda o, t: (
        "POST",
        "/v1/rules/dry-run",
        {"rule": RULE | {"audience": [{"by": "person", "values": [t["person"]]}]}, "factId": o["fact"]},
    ),
    "a test of theirs": lambda o, t: (
        "GET",
        f"/v1/integrations/{o['integration']}/tests/{t['trial']}",
        None,
    ),
    "a test of our own there": lambda o, t: (
        "GET",
        f"/v1/integrations/{t['integration']}/tests/{o['trial']}",
        None,
    ),
    "an integration of theirs": lambda o, t: (
        "POST",
        f"/v1/events/{o['event']}/subscriptions",
        {"selectors": [{"integrationId": t["integration"]}]},
    ),
    "an organiser of theirs": lambda o, t: ("PATCH", f"/v1/events/{o['event']}", {"organiserId": t["person"]}),
    "somebody of theirs joins": lambda o, t: (
        "POST",
        f"/v1/events/{o['event']}/subscriptions",
        {"personId": t["person"]},
    ),
    "an announcement to theirs": lambda o, t: (
        "POST",
        f"/v1/events/{o['event']}/announcements",
        {"title": "ours", "body": "ours", "subscriptionIds": [int(t["subscription"])]},
    ),
    "a message of theirs": lambda o, t: ("GET", f"/v1/events/{o['event']}/deliveries/{t['notice']}", None),
    "a parent of theirs": lambda o, t: (
        "POST",
        organization_routes.ASK,
        organization_routes.a_request("below", type="partner", parentId=t["organization"]),
    ),
    "organisations below theirs": lambda o, t: ("GET", f"/v1/organizations?parent={t['organization']}", None),
    "an invitation of theirs": lambda o, t: (
        "POST",
        f"/v1/organizations/{o['organization']}/invitations/{t['invitation']}/resend",
        None,
    ),
    "an invitation of ours there": lambda o, t: (
        "POST",
        f"/v1/organizations/{t['organization']}/invitations/{o['invitation']}/revoke",
        None,
    ),
    "why of a fact": lambda o, t: ("GET", f"/v1/why?person={o['person']}&fact={t['fact']}", None),
    "why of a person": lambda o, t: ("GET", f"/v1/why?person={t['person']}&fact={o['fact']}", None),
    "a login": lambda o, t: ("POST", "/v1/people", {"name": "Mine", "userId": t["user"]}),
    "a login changed": lambda o, t: ("PATCH", f"/v1/people/{o['person']}", {"userId": t["user"]}),
    "a cause": lambda o, t: (
        "POST",
        "/v1/facts",
        {"type": "lead.created", "metadata": {"causation_id": t["fact"]}},
    ),
    "deliveries of a provider": lambda o, t: ("GET", f"/v1/deliveries?provider={t['provider']}", None),
    "deliveries of a notice": lambda o, t: ("GET", f"/v1/deliveries?noticeId={t['notice']}", None),
    "deliveries to a person": lambda o, t: ("GET", f"/v1/deliveries?personId={t['person']}", None),
    "deliveries again": lambda o, t: ("POST", "/v1/deliveries/retry", {"provider": t["provider"]}),
    "notices of a fact": lambda o, t: ("GET", f"/v1/notices?factId={t['fact']}", None),
    "people of a group": lambda o, t: ("GET", f"/v1/people?group={t['group']}", None),
    "an inbox": lambda o, t: ("GET", f"/v1/inbox?person={t['person']}", None),
    "an inbox counted": lambda o, t: ("GET", f"/v1/inbox/count?person={t['person']}", None),
    "an inbox read": lambda o, t: ("POST", f"/v1/inbox/read-all?person={t['person']}", {}),
    "in our inbox": lambda o, t: ("POST", f"/v1/inbox/{t['notification']}/read?person={o['person']}", None),
    "in their inbox": lambda o, t: ("POST", f"/v1/inbox/{o['notification']}/read?person={t['person']}", None),
}


@pytest.fixture
async def theirs(world: World) -> Ids:
    return await things_of(world, world.as_(world.stranger)) | {"user": str(world.stranger.id)}


@pytest.fixture
async def ours(world: World, theirs: Ids) -> Ids:
    """After theirs, with which the admin's login was linked to a person."""
    admin = world.as_(world.admin)
    person = (await admin.post("/v1/people", {"name": "Ours", "email": "ours@example.com"})).json["data"]
    group = (await admin.post("/v1/groups", {"externalId": "ours", "name": "Ours"})).json["data"]["id"]
    provider = {"channel": "email", "type": "sandbox", "name": "ours"}
    provider_id = (await admin.post("/v1/providers", provider)).json["data"]["id"]
    rule = (await admin.post("/v1/rules", RULE | {"name": "ours"})).json["data"]["id"]
    fact = (await admin.emit())["id"]
    (notification,) = await told(world.pool, [UUID(person["id"])], "ours")
    ids = {"person": person["id"], "group": group, "provider": provider_id, "rule": rule, "fact": fact}
    event = {"event": str((await event_routes.created(admin))["id"])}
    takers = organization_routes.Takers(world)
    organization = await takers.taken_on(admin, "ours")
    invited = (await admin.get(organization_routes.invitations_of(organization))).json["data"]
    ids |= {"organization": organization, "invitation": invited[0]["id"]}
    return {**ids, **event, **await integration_routes.integrations_of(admin), "notification": str(notification)}


async def test_what_is_theirs_in_the_midst_of_ours_is_not_there(world: World, ours: Ids, theirs: Ids) -> None:
    admin, owner = world.as_(world.admin), world.as_(world.stranger)
    before = await seen_by(owner, theirs)
    for what, make in IN_THE_MIDST.items():
        absent = nobodys(theirs)
        asked = [await call(admin, make(ours, ids)) for ids in (theirs, absent)]
        assert asked[0].status == asked[1].status, (what, asked[0].text)
        assert like(asked[0], theirs) == like(asked[1], absent), what
        assert "canary" not in asked[0].text, what
    assert await seen_by(owner, theirs) == before


async def call(client: Client, asked: Asked) -> Any:
    method, path, body = asked
    return await client.call(method, path, json=body)


def like(answer: Any, ids: Ids) -> Any:
    """What was answered, with what the client itself has said put aside."""
    text = str(without_instance(answer))
    for name, id in ids.items():  # noqa: A001
        text = text.replace(id, name) if len(id) == 36 or id.isdecimal() else text
    return text


async def test_names_that_are_theirs_are_free_for_us_and_stay_theirs(world: World, theirs: Ids) -> None:
    """Whatever is named by its owner: each tenant has names of its own."""
    admin, owner = world.as_(world.admin), world.as_(world.stranger)
    before = await seen_by(owner, theirs)
    written: list[Asked] = [
        ("POST", "/v1/people", {"name": "Mine", "externalId": "canary", "email": "canary@example.org"}),
        ("PUT", "/v1/people/by-external-id/canary", {"name": "Mine too"}),
        ("POST", "/v1/groups", {"externalId": "canary", "name": "Mine"}),
        ("PUT", "/v1/categories/canary", {"name": "Mine", "required": True}),
        ("POST", "/v1/suppressions", {"kind": "email", "value": "canary@example.org", "detail": "mine"}),
        ("POST", "/v1/providers", {"channel": "email", "type": "sandbox", "name": "canary"}),
        ("POST", "/v1/rules", RULE),
        ("PUT", TEMPLATE.format(name="t-canary"), {"text": "mine"}),
        ("POST", "/v1/keys", {"name": "canary", "scopes": ["facts:read"]}),
        ("POST", "/v1/facts", {"type": "lead.created", "key": "canary"}),
        ("POST", organization_routes.ASK, organization_routes.a_request("can4ry")),
        ("DELETE", "/v1/suppressions?kind=email&value=canary@example.org", None),
        ("DELETE", "/v1/categories/canary", None),
        ("DELETE", TEMPLATE.format(name="t-canary"), None),
    ]
    for asked in written:
        answer = await call(admin, asked)
        assert answer.status in {200, 201, 202, 204}, (asked, answer.text)
    rows = "external_id,name,groups,topics\ncanary,Mine again,canary,canary\n"
    imported = await admin.call("POST", "/v1/people/imports", data=rows, headers={"Content-Type": "text/csv"})
    assert (imported.status, imported.json["data"]["updated"]) == (201, 1)
    assert await seen_by(owner, theirs) == before


async def test_a_template_that_is_theirs_cannot_be_named(world: World, theirs: Ids) -> None:
    admin = world.as_(world.admin)
    for name in ("t-canary", "t-nobody"):
        rule = await admin.post("/v1/rules", RULE | {"name": name, "template": name})
        assert (rule.status, rule.json["errors"][0]["message"]) == (422, f"there is no template named {name}")
        shown = await admin.post("/v1/templates/preview", {"channel": "sms", "name": name})
        assert (shown.status, shown.json["errors"][0]["message"]) == (422, f"there is no template named {name}")


async def test_what_people_of_theirs_are_known_by_finds_nobody(world: World, ours: Ids, theirs: Ids) -> None:
    admin = world.as_(world.admin)
    for who in ("canary", "canary@example.org", theirs["person"]):
        assert (await admin.get(f"/v1/why?person={who}&fact={ours['fact']}")).status == 404
    for query in ("externalId=canary", "email=canary@example.org", "q=Canary"):
        assert (await admin.get(f"/v1/people?{query}")).json["data"] == []


async def test_an_idempotency_key_of_theirs_replays_nothing(world: World) -> None:
    for path, body in (("/v1/groups", {"externalId": "1", "name": "G"}), ("/v1/facts", {"type": "lead.created"})):
        headers = {"Idempotency-Key": f"the-same-{path}"}
        theirs = await world.as_(world.stranger).post(path, body, headers=headers)
        ours = await world.as_(world.admin).post(path, body, headers=headers)
        assert (theirs.status, ours.status) == (201, 201), path
        assert theirs.json["data"]["id"] != ours.json["data"]["id"]
        assert "Idempotent-Replayed" not in ours.headers


LISTS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "/v1/people": ("/v1/people", lambda n: {"name": "Somebody"}),
    "/v1/groups": ("/v1/groups", lambda n: {"externalId": n, "name": "Group"}),
    "/v1/rules": ("/v1/rules", lambda n: RULE | {"name": n}),
    "/v1/suppressions": ("/v1/suppressions", lambda n: {"kind": "phone", "value": f"+39061234567{n}"}),
    "/v1/facts": ("/v1/facts", lambda n: {"type": "lead.created"}),
    "/v1/keys": ("/v1/keys", lambda n: {"name": n, "scopes": ["facts:read"]}),
    "/v1/schedules": (report_routes.PATH, lambda n: report_routes.a_schedule(name=f"Report {n}")),
    "/v1/organizations": (organization_routes.ASK, lambda n: organization_routes.a_request(f"org{n}")),
}


@pytest.mark.parametrize("path", [*LISTS, "/v1/outbox", "/v1/templates", "/v1/inbox"])
async def test_a_cursor_of_theirs_leads_nowhere(world: World, path: str) -> None:
    owner, other = world.as_(world.stranger), world.as_(world.admin)
    for user, tenant in ((world.stranger.id, "globex"), (world.admin.id, "acme")):
        person = await add_person(world.pool, tenant, user)
        for _ in range(2):
            await told(world.pool, [person], tenant=tenant)
    where, body = LISTS.get(path, LISTS["/v1/facts"])
    for n in "12":
        assert (await owner.post(where, body(n))).status in {201, 202}
    cursor = (await owner.get(f"{path}?limit=1")).json["pagination"]["nextCursor"]
    assert (await owner.get(f"{path}?cursor={cursor}")).status == 200
    assert (await other.get(f"{path}?cursor={cursor}")).status == 422


async def test_a_position_of_theirs_resumes_nothing_of_theirs(world: World) -> None:
    mine = await add_person(world.pool, "acme", world.admin.id)
    stranger = await add_person(world.pool, "globex", world.stranger.id)
    async with listening(world.client, world.stranger.key) as theirs:
        await theirs.hello()
    async with world.pool.acquire() as connection, connection.transaction():
        own = await told_live(connection, mine, "mine")
        await told_live(connection, stranger, "canary", tenant="globex")
    async with listening(world.client, world.admin.key) as live:
        ready = await live.hello(theirs.position)
    assert (live.ids(), ready["unread"]) == ([str(own)], 1)
