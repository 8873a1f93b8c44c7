"""One of everything that a tenant can have, for those who look whether another tenant gets at it."""

from __future__ import annotations

import json
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
)
from tests.api.world import Answer, Client, World
from tests.notify.telling import add_person, told

Ids = dict[str, str]


async def things_of(world: World, owner: Client) -> Ids:
    fact = await owner.emit(data={"canary": True})
    key = await owner.post("/v1/keys", {"name": "canary", "scopes": ["facts:read"]})
    more = await _people_of(owner) | await rule_routes.rules_and_templates_of(owner)
    more |= await delivery_routes.deliveries_of(world, owner, "globex", more["person"])
    person_id = await add_person(world.pool, "globex", world.stranger.id)
    await add_person(world.pool, "acme", world.admin.id)
    more |= await integration_routes.integrations_of(owner)
    more |= await event_routes.events_of(world, owner)
    more |= await reservation_routes.reservations_of(world, owner)
    more |= await organization_routes.organizations_of(world, owner)
    more |= await report_routes.schedules_of(world, owner)
    (notification,) = await told(world.pool, [person_id], "canary", tenant="globex")
    return {
        "fact": fact["id"],
        "key": key.json["data"]["id"],
        "notification": str(notification),
        "user": str(world.stranger.id),
    } | more


async def _people_of(owner: Client) -> Ids:
    canary = {"externalId": "canary", "name": "Canary", "email": "canary@example.org"}
    person = (await owner.post("/v1/people", canary)).json["data"]
    group = (await owner.post("/v1/groups", {"externalId": "canary", "name": "Canary"})).json["data"]
    await owner.call("PUT", f"/v1/groups/{group['id']}/members/{person['id']}")
    await owner.call("PUT", f"/v1/people/{person['id']}/topics/canary")
    await owner.call("PUT", "/v1/categories/canary", json={"name": "Canary"})
    await owner.post("/v1/suppressions", {"kind": "email", "value": "canary@example.org"})
    csv = await owner.call("POST", "/v1/people/imports", data="name\nCanary\n", headers={"Content-Type": "text/csv"})
    ids = {"person": person["id"], "address": person["addresses"][0]["id"], "group": group["id"]}
    return {**ids, "import": csv.json["data"]["id"]}


async def seen_by(owner: Client, ids: Ids) -> list[Any]:
    about = f"/v1/people/{ids['person']}"
    paths = (
        *(f"/v1/facts/{ids['fact']}", f"/v1/outbox/{ids['fact']}", "/v1/keys", "/v1/people", "/v1/groups", "/v1/inbox"),
        *(f"{about}/groups", f"{about}/topics", f"{about}/preferences"),
        *(f"/v1/groups/{ids['group']}/members", "/v1/categories"),
        *("/v1/suppressions", "/v1/people/imports"),
        *rule_routes.shown_at(ids),
        *delivery_routes.shown_at(ids),
        *integration_routes.shown_at(ids),
        *event_routes.shown_at(ids),
        *reservation_routes.shown_at(ids),
        *organization_routes.shown_at(ids),
        *report_routes.shown_at(ids),
    )
    return [(await owner.get(path)).json for path in paths]


def nobodys(ids: Ids) -> Ids:
    """Ids of the same form, of what is not there."""
    return {name: "77199999" if known.isdecimal() else str(uuid4()) for name, known in ids.items()}


def without_instance(answer: Answer) -> Any:
    return {name: value for name, value in json.loads(answer.text).items() if name != "instance"}
