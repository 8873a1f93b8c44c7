"""A house that is lived in: something on every page. Made over the API, as its people would have."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.async_api import Page

from tests.support.pipeline import add_rule, emit
from tests.ui.house import House
from tests.ui.test_outbox import DEAD
from tidings.kit import db
from tidings.modules.events.snapshot import snapshot

_FIGURES = """
INSERT INTO tidings.figures
SELECT date_trunc('minute', now()) - g * interval '1 minute', $1, p, f, f * 2 - g % 7, g % 3, (g % 11 = 4)::int * 2,
    (g % 23 = 7)::int
FROM generate_series(3, 59) g, LATERAL (SELECT (22 + 9 * sin(g / 6.0) + 4 * cos(g * 1.7))::bigint) AS s(f),
    LATERAL (VALUES ('00000000-0000-0000-0000-000000000000'::uuid)) AS q(p)
"""
_MAIL = """<mjml><mj-body><mj-section><mj-column>
<mj-text font-size="20px">{{ notice.title }}</mj-text>
<mj-text>{{ notice.body }}</mj-text>
<mj-button href="https://example.com/orders">See your order</mj-button>
</mj-column></mj-section></mj-body></mjml>"""


@dataclass(frozen=True)
class Clerk:
    """Calls the API as who is signed in on a page."""

    page: Page

    async def headers(self, type: str = "application/json") -> dict[str, str]:
        session = await (await self.page.request.get("/v1/session")).json()
        return {"X-CSRF-Token": session["data"]["csrfToken"], "Content-Type": type}

    async def call(self, method: str, path: str, body: object = None) -> Any:
        headers, data = await self.headers(), None if body is None else json.dumps(body)
        reply = await self.page.request.fetch(f"/v1{path}", method=method, headers=headers, data=data)
        assert reply.ok, f"{method} {path}: {await reply.text()}"
        return (await reply.json()).get("data") if await reply.body() else None


async def furnish(house: House, page: Page) -> dict[str, str]:
    """Returns the ids by which the pages of single things are found."""
    clerk = Clerk(page)
    ids = await _people(clerk)
    ids |= await _rules(clerk)
    ids |= await _providers(clerk)
    ids |= await _events(house, clerk)
    ids |= await _reservations(house, clerk)
    await _access(clerk)
    for n in range(1, 7):
        ids["factId"] = str(await emit(house.owner, tenant=house.tenant, id=n, total=n * 120, person="owner"))
    await house.owner.execute(DEAD, house.tenant)
    await house.owner.execute(_FIGURES, house.tenant)
    await add_rule(
        house.owner, "order.shipped", tenant=house.tenant, name="Ask how it was", delay="7d", channels=["email"]
    )
    await emit(house.owner, "order.shipped", tenant=house.tenant, id=3)
    await _settled(house)
    (message, *_) = await clerk.call("GET", "/sandbox?channel=email")
    return ids | {"messageId": message["id"]}


async def _people(clerk: Clerk) -> dict[str, str]:
    for category, name, needed in (("orders", "Orders", False), ("security", "Security", True)):
        await clerk.call("PUT", f"/categories/{category}", {"name": name, "required": needed})
    owner = await clerk.call(
        "POST",
        "/people",
        {"externalId": "owner", "name": "The owner", "email": "owner@example.com", "phone": "+390612345678",
         "locale": "it-IT", "timezone": "Europe/Rome", "pushTokens": ["device-1"]},
    )  # fmt: skip
    for role, zone in (("The accountant", "Europe/Vienna"), ("The night shift", "America/New_York")):
        email = f"{role.split()[-1]}@example.com"
        await clerk.call("POST", "/people", {"name": role, "email": email, "timezone": zone})
    group = await clerk.call("POST", "/groups", {"externalId": "kitchen", "name": "Kitchen"})
    await clerk.call("PUT", f"/groups/{group['id']}/members/{owner['id']}")
    await clerk.call("POST", "/suppressions", {"kind": "email", "value": "gone@example.com", "detail": "asked us to"})
    return {"personId": owner["id"], "groupId": group["id"]}


async def _access(clerk: Clerk) -> None:
    for name, scopes in (("the shop", ["facts:write"]), ("a dashboard", ["facts:read", "outbox:read"])):
        await clerk.call("POST", "/keys", {"name": name, "scopes": scopes})
    rows = "name,email\nThe courier,courier@example.com\nThe gardener,not an address\n"
    await clerk.page.request.post(
        "/v1/people/imports", headers=await clerk.headers("text/csv"), data=rows
    )  # one row is wrong: it is refused, and says why


async def _rules(clerk: Clerk) -> dict[str, str]:
    await clerk.call(
        "PUT",
        "/templates/orders/email",
        {"subject": "{{ notice.title }}", "markup": _MAIL, "text": "{{ notice.body }}"},
    )
    rule = await clerk.call(
        "POST",
        "/rules",
        {"name": "Paid orders", "factType": "order.paid", "category": "orders", "template": "orders",
         "audience": [{"by": "everyone"}], "channels": ["email", "push", "websocket"],
         "conditions": {"field": "total", "greater": 100},
         "title": "Order {{ data.id }} is paid",
         "body": "We have received {{ data.total | money(\"EUR\") }}. Thank you."},
    )  # fmt: skip
    await clerk.call(
        "POST",
        "/rules",
        {"name": "Cancelled orders", "factType": "order.cancelled", "level": "warning", "enabled": False,
         "audience": [{"by": "everyone"}], "channels": ["sms"], "title": "Order {{ data.id }} is cancelled",
         "body": "Nothing was charged."},
    )  # fmt: skip
    return {"ruleId": rule["id"]}


async def _events(house: House, clerk: Clerk) -> dict[str, str]:
    """One that the manager organises and others have joined, with something said of it; one of another; one that is
    cancelled."""
    for name, url, tags in (("My phone", "json://phone.example.com/hook", ["urgent"]),
                            ("The team's chat", "json://chat.example.com/rooms/7", ["urgent", "work"])):  # fmt: skip
        await clerk.call("POST", "/integrations", {"name": name, "url": url, "tags": tags})
    party = await clerk.call("POST", "/events", _event("Summer party", 9, "Europe/Rome", "The garden behind the house"))
    call = await clerk.call("POST", "/events", _event("Call with Tokyo", 3, "Asia/Tokyo", "https://meet.example.com/7"))
    off = await clerk.call("POST", "/events", _event("Open day", 20, "Europe/Rome", None))
    await clerk.call("POST", f"/events/{off['id']}/cancel")
    for person in await clerk.call("GET", "/people"):
        await clerk.call("POST", f"/events/{party['id']}/subscriptions", {"personId": person["id"]})
    await clerk.call("POST", f"/events/{party['id']}/remind-me", {"afterSeconds": 7200})
    await clerk.call("POST", f"/events/{call['id']}/subscriptions", {"reminderOffsets": [600]})
    await _say(house, party["id"], "Bring a coat", "It will be cold in the evening.")
    return {"eventId": str(party["id"])}


def _event(name: str, days: int, timezone: str, location: str | None) -> dict[str, Any]:
    start = (datetime.now(UTC) + timedelta(days=days)).replace(hour=16, minute=30, second=0, microsecond=0)
    return {"name": name, "timezone": timezone, "location": location, "startsAt": start.isoformat(),
            "endsAt": (start + timedelta(hours=3)).isoformat(),
            "description": "Everybody is welcome.\nThere is something to eat, and music later on."}  # fmt: skip


async def _say(house: House, event_id: int, title: str, body: str) -> None:
    """As the event's process does, which this house has none of."""
    row = await house.owner.fetchrow("SELECT * FROM tidings.events WHERE id = $1", event_id)
    assert row is not None
    said = {"kind": "announced", "title": title, "body": body, "level": "info", "eventId": event_id, "act": 1,
            "event": snapshot(row), "personIds": None}  # fmt: skip
    async with db.as_tenant(house.owner, house.tenant):
        await house.owner.execute(
            "SELECT tidings.emit_own('events', 'event.broadcast', $1::text::jsonb, 'event', $2, 'said', '{}')",
            json.dumps(said),
            str(event_id),
        )


async def _reservations(house: House, clerk: Clerk) -> dict[str, str]:
    """One for which another time was proposed, one that waits, one that is confirmed, one that is off."""
    agency = await clerk.call("POST", "/agencies", {"name": "Tables & Tours"})
    anchor = await clerk.call(
        "POST", "/restaurants", {"name": "The Anchor", "timezone": "Asia/Tokyo", "locale": "en", "escalateTimes": 3}
    )
    garden = await clerk.call(
        "POST", "/restaurants", {"name": "The Garden", "timezone": "Europe/Rome", "escalateAfterMinutes": None}
    )
    await clerk.call("PUT", "/usual-channels/AGENCY_USER", {"channels": ["email"], "urgent": ["sms"]})
    guests = [await _person(clerk, name, "CUSTOMER") for name in ("The guest", "The regular")]
    chef = await _person(clerk, "The chef", "RESTAURANT_USER")
    guide = await _person(clerk, "The guide", "AGENCY_USER")
    await clerk.call("PUT", f"/groups/{agency['groupId']}/members/{guide}")
    for place in (anchor, garden):
        await clerk.call("PUT", f"/groups/{place['groupId']}/members/{chef}")
    (me,) = await clerk.call("GET", "/people?q=The manager")
    await clerk.call("PATCH", f"/people/{me['id']}", {"userType": "ADMIN_USER"})
    made = []
    for place, guest, days, more in (
        (anchor, guests[0], 9, {"agencyId": agency["id"], "note": "By the window, if there is one.\nWe come by boat."}),
        (garden, guests[1], 4, {"partySize": 2}),
        (garden, guests[0], 6, {"partySize": 7}),
        (garden, guests[1], 12, {"partySize": 3}),
    ):
        body = {"restaurantId": place["id"], "customerId": guest, "partySize": 4, "time": _at(days, 10)}
        made.append(await clerk.call("POST", "/reservations", body | more))
    await _act(clerk, made[0], {"action": "POSTPONED", "proposedTime": _at(9, 12), "note": "All is taken at seven."})
    await _act(clerk, made[2], {"action": "CONFIRMED"})
    await clerk.call("POST", f"/reservations/{made[3]['id']}/cancel")
    return {"reservationId": str(made[0]["id"])}


async def _person(clerk: Clerk, name: str, user_type: str) -> str:
    email = f"{name.split()[-1]}@example.com"
    return str((await clerk.call("POST", "/people", {"name": name, "userType": user_type, "email": email}))["id"])


async def _act(clerk: Clerk, reservation: dict[str, Any], deed: dict[str, str]) -> None:
    """On the manager's own copy of the notice, once it is there."""
    for _ in range(150):
        if copies := await clerk.call("GET", f"/inbox?matter={reservation['matter']}"):
            await clerk.call("POST", f"/notifications/{copies[0]['id']}/actions", deed)
            return
        await asyncio.sleep(0.2)
    raise TimeoutError("nobody was asked")


def _at(days: int, hour: int) -> str:
    there = datetime.now(UTC) + timedelta(days=days)
    return there.replace(hour=hour, minute=0, second=0, microsecond=0).isoformat()


async def _providers(clerk: Clerk) -> dict[str, str]:
    provider = await clerk.call(
        "POST",
        "/providers",
        {"channel": "push", "type": "sandbox", "name": "pushes that stay here", "config": {}},
    )
    return {"providerId": provider["id"]}


async def _settled(house: House) -> None:
    """Waits until what has to go out now has."""
    waiting = "SELECT count(*) FROM tidings.deliveries WHERE tenant = $1 AND run_at <= now()"
    for _ in range(150):
        told = await house.owner.fetchval("SELECT count(*) FROM tidings.notices WHERE tenant = $1", house.tenant)
        if told >= 6 and await house.owner.fetchval(waiting, house.tenant) == 0:
            return
        await asyncio.sleep(0.2)
    raise TimeoutError("not everything went out")
