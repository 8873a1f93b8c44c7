"""Promise 11: tenant A cannot read, change or detect what is B's. Every route is walked; a new one is added here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from tests.api import (
    delivery_routes,
    event_routes,
    integration_routes,
    organization_routes,
    report_routes,
    reservation_routes,
    rule_routes,
    user_routes,
)
from tests.api.belongings import Ids, nobodys, seen_by, things_of, without_instance
from tests.api.walking import PUBLIC, SOCKET, routes_of
from tests.api.world import World, token
from tests.notify.telling import add_person
from tidings.api.application import create_api

OF_ONE_OBJECT: dict[tuple[str, str], Callable[[Ids], tuple[str, Any]]] = {
    ("GET", "/v1/facts/{id}"): lambda ids: (f"/v1/facts/{ids['fact']}", None),
    ("GET", "/v1/facts/{id}/trace"): lambda ids: (f"/v1/facts/{ids['fact']}/trace", None),
    ("GET", "/v1/why"): lambda ids: (f"/v1/why?person={ids['person']}&fact={ids['fact']}", None),
    ("GET", "/v1/outbox/{id}"): lambda ids: (f"/v1/outbox/{ids['fact']}", None),
    ("POST", "/v1/outbox/{id}/retry"): lambda ids: (f"/v1/outbox/{ids['fact']}/retry", None),
    ("POST", "/v1/outbox/{id}/cancel"): lambda ids: (f"/v1/outbox/{ids['fact']}/cancel", None),
    ("POST", "/v1/outbox/{id}/reschedule"): lambda ids: (
        f"/v1/outbox/{ids['fact']}/reschedule",
        {"runAt": "2027-01-01T00:00:00Z"},
    ),
    ("DELETE", "/v1/keys/{id}"): lambda ids: (f"/v1/keys/{ids['key']}", None),
    ("GET", "/v1/people/{id}"): lambda ids: (f"/v1/people/{ids['person']}", None),
    ("PATCH", "/v1/people/{id}"): lambda ids: (f"/v1/people/{ids['person']}", {"name": "Mine"}),
    ("DELETE", "/v1/people/{id}"): lambda ids: (f"/v1/people/{ids['person']}", None),
    ("GET", "/v1/people/{id}/addresses"): lambda ids: (f"/v1/people/{ids['person']}/addresses", None),
    ("POST", "/v1/people/{id}/addresses"): lambda ids: (
        f"/v1/people/{ids['person']}/addresses",
        {"kind": "email", "value": "mine@example.com"},
    ),
    ("DELETE", "/v1/people/{id}/addresses/{addressId}"): lambda ids: (
        f"/v1/people/{ids['person']}/addresses/{ids['address']}",
        None,
    ),
    ("POST", "/v1/people/{id}/addresses/{addressId}/enable"): lambda ids: (
        f"/v1/people/{ids['person']}/addresses/{ids['address']}/enable",
        None,
    ),
    ("GET", "/v1/people/{id}/groups"): lambda ids: (f"/v1/people/{ids['person']}/groups", None),
    ("GET", "/v1/people/{id}/topics"): lambda ids: (f"/v1/people/{ids['person']}/topics", None),
    ("PUT", "/v1/people/{id}/topics/{topic}"): lambda ids: (f"/v1/people/{ids['person']}/topics/mine", None),
    ("DELETE", "/v1/people/{id}/topics/{topic}"): lambda ids: (f"/v1/people/{ids['person']}/topics/canary", None),
    ("GET", "/v1/people/{id}/preferences"): lambda ids: (f"/v1/people/{ids['person']}/preferences", None),
    ("PUT", "/v1/people/{id}/preferences"): lambda ids: (
        f"/v1/people/{ids['person']}/preferences",
        {"preferences": []},
    ),
    ("GET", "/v1/groups/{id}"): lambda ids: (f"/v1/groups/{ids['group']}", None),
    ("PATCH", "/v1/groups/{id}"): lambda ids: (f"/v1/groups/{ids['group']}", {"name": "Mine"}),
    ("DELETE", "/v1/groups/{id}"): lambda ids: (f"/v1/groups/{ids['group']}", None),
    ("GET", "/v1/groups/{id}/members"): lambda ids: (f"/v1/groups/{ids['group']}/members", None),
    ("POST", "/v1/groups/{id}/members"): lambda ids: (
        f"/v1/groups/{ids['group']}/members",
        {"people": [ids["person"]]},
    ),
    ("PUT", "/v1/groups/{id}/members/{personId}"): lambda ids: (
        f"/v1/groups/{ids['group']}/members/{ids['person']}",
        None,
    ),
    ("DELETE", "/v1/groups/{id}/members/{personId}"): lambda ids: (
        f"/v1/groups/{ids['group']}/members/{ids['person']}",
        None,
    ),
    ("DELETE", "/v1/categories/{id}"): lambda ids: ("/v1/categories/canary", None),
    ("DELETE", "/v1/suppressions"): lambda ids: ("/v1/suppressions?kind=email&value=canary@example.org", None),
    ("GET", "/v1/people/imports/{id}"): lambda ids: (f"/v1/people/imports/{ids['import']}", None),
    ("GET", "/v1/people/imports/{id}/errors"): lambda ids: (f"/v1/people/imports/{ids['import']}/errors", None),
    **rule_routes.OF_ONE_OBJECT,
    **delivery_routes.OF_ONE_OBJECT,
    **user_routes.OF_ONE_OBJECT,
    **integration_routes.OF_ONE_OBJECT,
    **event_routes.OF_ONE_OBJECT,
    **report_routes.OF_ONE_OBJECT,
    **reservation_routes.OF_ONE_OBJECT,
    **organization_routes.OF_ONE_OBJECT,
    **{
        ("POST", f"/v1/inbox/{{id}}/{change}"): lambda ids, change=change: (  # type: ignore[misc]
            f"/v1/inbox/{ids['notification']}/{change}",
            None,
        )
        for change in ("read", "unread", "archive", "unarchive")
    },
}
OF_ALL: dict[tuple[str, str], tuple[str, Any]] = {
    ("GET", "/v1/facts"): ("/v1/facts", None),
    ("GET", "/v1/forecast"): ("/v1/forecast", None),
    ("GET", "/v1/outbox"): ("/v1/outbox", None),
    ("GET", "/v1/outbox/stats"): ("/v1/outbox/stats", None),
    ("GET", "/v1/overview"): ("/v1/overview", None),
    ("GET", "/v1/keys"): ("/v1/keys", None),
    ("GET", "/v1/session"): ("/v1/session", None),
    ("POST", "/v1/outbox/redrive"): ("/v1/outbox/redrive", {}),
    ("GET", "/v1/people"): ("/v1/people", None),
    ("GET", "/v1/groups"): ("/v1/groups", None),
    ("GET", "/v1/categories"): ("/v1/categories", None),
    ("GET", "/v1/suppressions"): ("/v1/suppressions", None),
    ("GET", "/v1/people/imports"): ("/v1/people/imports", None),
    **rule_routes.OF_ALL,
    **delivery_routes.OF_ALL,
    **user_routes.OF_ALL,
    **integration_routes.OF_ALL,
    **event_routes.OF_ALL,
    **report_routes.OF_ALL,
    **reservation_routes.OF_ALL,
    **organization_routes.OF_ALL,
    ("GET", "/v1/inbox"): ("/v1/inbox", None),
    ("GET", "/v1/inbox/count"): ("/v1/inbox/count", None),
    ("POST", "/v1/inbox/read-all"): ("/v1/inbox/read-all", {}),
}
ELSEWHERE = {  # tested here and in the file of each, by what they write
    ("POST", "/v1/facts"),
    ("POST", "/v1/keys"),
    ("DELETE", "/v1/session"),
    ("POST", "/v1/people"),
    *integration_routes.ELSEWHERE,
    *event_routes.ELSEWHERE,
    *report_routes.ELSEWHERE,
    *reservation_routes.ELSEWHERE,
    *organization_routes.ELSEWHERE,
    ("PUT", "/v1/people/by-external-id/{externalId}"),
    ("POST", "/v1/groups"),
    ("PUT", "/v1/categories/{id}"),
    ("POST", "/v1/suppressions"),
    ("POST", "/v1/people/imports"),
    ("GET", "/v1/people/me"),
    ("PATCH", "/v1/people/me"),
    ("GET", "/v1/people/me/preferences"),
    ("PUT", "/v1/people/me/preferences"),
    (SOCKET, "/v1/ws"),
}
ELSEWHERE |= rule_routes.ELSEWHERE | delivery_routes.ELSEWHERE | user_routes.ELSEWHERE


def test_every_route_is_walked(settings: Any) -> None:
    app = create_api(settings.model_copy(update={"master_key": _secret()}))
    assert routes_of(app) == PUBLIC | OF_ONE_OBJECT.keys() | OF_ALL.keys() | ELSEWHERE


async def test_what_is_anothers_is_not_there_and_stays_as_it_was(world: World) -> None:
    owner, other = world.as_(world.stranger), world.as_(world.admin)
    ids = await things_of(world, owner)
    before = await seen_by(owner, ids)
    for (method, route), make in OF_ONE_OBJECT.items():
        path, body = make(ids)
        nothing, _ = make(nobodys(ids))
        theirs = await other.call(method, path, json=body)
        absent = await other.call(method, nothing, json=body)
        assert theirs.status == 404, (route, theirs.text)
        assert without_instance(theirs) == without_instance(absent), route
    assert await seen_by(owner, ids) == before


async def test_lists_counts_and_bulk_changes_stay_at_home(world: World) -> None:
    owner, other = world.as_(world.stranger), world.as_(world.admin)
    ids = await things_of(world, owner)
    await world.pool.execute("UPDATE tidings.outbox SET kind = 'canary.thing'")
    for (method, route), (path, body) in OF_ALL.items():
        answer = await other.call(method, path, json=body)
        assert answer.status == 200, (route, answer.text)
        assert not any(theirs in answer.text for theirs in ids.values()), route
        assert "canary" not in answer.text, route
        assert "globex" not in answer.text, route


async def test_a_cursor_is_good_in_its_own_tenant_only(world: World) -> None:
    owner, other = world.as_(world.stranger), world.as_(world.admin)
    for _ in range(2):
        await owner.emit()
    for path in ("/v1/facts", "/v1/outbox"):
        cursor = (await owner.get(f"{path}?limit=1")).json["pagination"]["nextCursor"]
        assert (await owner.get(f"{path}?cursor={cursor}")).status == 200
        assert (await other.get(f"{path}?cursor={cursor}")).status == 422
    facts = (await owner.get("/v1/facts?limit=1")).json["pagination"]["nextCursor"]
    assert (await owner.get(f"/v1/outbox?cursor={facts}")).status == 422


async def test_the_cause_of_a_fact_is_of_its_own_tenant(world: World) -> None:
    theirs = await world.as_(world.stranger).emit()
    answer = await world.as_(world.member).post(
        "/v1/facts", {"type": "lead.created", "metadata": {"causation_id": theirs["id"]}}
    )
    nothing = await world.as_(world.member).post(
        "/v1/facts", {"type": "lead.created", "metadata": {"causation_id": str(uuid4())}}
    )
    assert answer.status == nothing.status == 422
    assert answer.json == nothing.json


async def test_only_an_operator_may_act_in_another_tenant(world: World) -> None:
    for role, status in (("member", 403), ("admin", 403), ("operator", 201)):
        acting = world.client.acting(token(role=role), **{"Tidings-Tenant": "globex"})
        assert (await acting.post("/v1/facts", {"type": "lead.created"})).status == status, role
    elsewhere = world.client.acting(token(role="operator"), **{"Tidings-Tenant": "globex"})
    assert {fact["tenant"] for fact in (await elsewhere.get("/v1/facts")).json["data"]} == {"globex"}


async def test_whether_a_tenant_exists_is_told_to_operators_only(world: World) -> None:
    for wanted in ("globex", "nowhere", "No Slug"):
        acting = world.client.acting(token(role="admin"), **{"Tidings-Tenant": wanted})
        expected = 404 if wanted == "No Slug" else 403
        assert (await acting.get("/v1/facts")).status == expected
    unknown = world.client.acting(token(role="operator"), **{"Tidings-Tenant": "nowhere"})
    assert (await unknown.get("/v1/facts")).status == 404


async def test_an_operators_key_stays_in_the_tenant_it_was_made_in(world: World) -> None:
    operator = world.as_(world.operator, **{"Tidings-Tenant": "globex"})
    refused = await operator.get("/v1/facts")
    assert (refused.status, "API key" in refused.json["detail"]) == (403, True)
    assert (await world.as_(world.operator, **{"Tidings-Tenant": "acme"}).get("/v1/facts")).status == 200


def _secret() -> Any:
    from pydantic import SecretStr

    from tests.api.world import MASTER_KEY

    return SecretStr(MASTER_KEY)


async def test_another_tenants_person_has_no_inbox_here(world: World) -> None:
    person_id = await add_person(world.pool, "globex")
    theirs = await world.as_(world.admin).get(f"/v1/inbox?person={person_id}")
    absent = await world.as_(world.admin).get(f"/v1/inbox?person={uuid4()}")
    assert theirs.status == absent.status == 404
    assert without_instance(theirs) == without_instance(absent)
