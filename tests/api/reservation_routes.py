"""A restaurant with everybody around it, for tests of the API; its routes, for the walk as A against what is B's."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import asyncpg

from tests.api.event_routes import in_
from tests.api.world import Answer, Client, World
from tests.support.pipeline import Owner
from tidings.testing import adrain

Ids = dict[str, str]
_FAR = 8_820_000
"""Where the ids of another tenant's reservations begin, so that one is not found in the midst of other numbers."""


@dataclass(frozen=True)
class Trade:
    """A restaurant and an agency of acme. `admin` and `manager` have a login; the customer is known, and has none."""

    admin: Client
    admin_id: str
    manager: Client
    manager_id: str
    customer_id: str
    agent_id: str
    restaurant: dict[str, Any]
    agency: dict[str, Any]

    def request(self, **fields: Any) -> dict[str, Any]:
        return {
            "restaurantId": self.restaurant["id"],
            "customerId": self.customer_id,
            "partySize": 4,
            "time": in_(days=3),
            **fields,
        }


async def made(client: Client, path: str, body: Any) -> dict[str, Any]:
    answer = await client.post(path, body)
    assert answer.status == 201, answer.text
    document: dict[str, Any] = answer.json["data"]
    return document


async def somebody(admin: Client, name: str, user_type: str, group: str | None = None) -> str:
    """With every address that we send to."""
    slug = name.lower().replace(" ", ".")
    body = {"name": name, "userType": user_type, "email": f"{slug}@example.com", "pushTokens": [f"device-of-{slug}"]}
    person: str = (await made(admin, "/v1/people", {**body, "phone": f"+3902{zlib.crc32(slug.encode()):010}"}))["id"]
    if group is not None:
        assert (await admin.call("PUT", f"/v1/groups/{group}/members/{person}")).status in (200, 204)
    return person


async def trade_of(world: World, **restaurant: Any) -> Trade:
    admin, manager = world.as_(world.admin), world.as_(world.member)
    place = await made(admin, "/v1/restaurants", {"name": "Da Rosa", "timezone": "Europe/Rome", **restaurant})
    agency = await made(admin, "/v1/agencies", {"name": "City Tables"})
    manager_id = await somebody(admin, "The manager", "RESTAURANT_USER", place["groupId"])
    admin_id = await somebody(admin, "The admin", "ADMIN_USER")
    for person, user in ((manager_id, world.member), (admin_id, world.admin)):
        await world.pool.execute("UPDATE tidings.people SET user_id = $2 WHERE id = $1::text::uuid", person, user.id)
    return Trade(
        admin,
        admin_id,
        manager,
        manager_id,
        await somebody(admin, "A guest", "CUSTOMER"),
        await somebody(admin, "An agent", "AGENCY_USER", agency["groupId"]),
        place,
        agency,
    )


async def requested(trade: Trade, **fields: Any) -> dict[str, Any]:
    return await made(trade.admin, "/v1/reservations", trade.request(**fields))


async def copies_of(world: World, owner: Owner, reservation: dict[str, Any]) -> dict[str, str]:
    """The notification of each person who can act on it."""
    await adrain(world.settings)
    rows = await owner.fetch(
        """SELECT m.person_id::text AS person, m.id::text AS id FROM tidings.notifications m
           JOIN tidings.notices n ON n.id = m.notice_id WHERE n.matter = $1 AND n.actions <> '{}'""",
        reservation["matter"],
    )
    return {row["person"]: row["id"] for row in rows}


def path_of(notification: str) -> str:
    return f"/v1/notifications/{notification}/actions"


async def act(
    client: Client, notification: str, person: str | None = None, headers: dict[str, str] | None = None, **deed: Any
) -> Answer:
    query = "" if person is None else f"?person={person}"
    return await client.post(path_of(notification) + query, deed, headers=headers or {})


_RESERVATION = "/v1/reservations/{reservationId}"
_RESTAURANT = "/v1/restaurants/{restaurantId}"
_AGENCY = "/v1/agencies/{agencyId}"
_NOTIFICATION = "/v1/notifications/{id}/actions"


def _of(method: str, path: str, body: Any = None) -> tuple[tuple[str, str], Callable[[Ids], tuple[str, Any]]]:
    def asked(ids: Ids) -> tuple[str, Any]:
        named = {f"{name}Id": ids[name] for name in ("reservation", "restaurant", "agency")}
        return path.format(**named, id=ids["notification"]), body

    return (method, path), asked


OF_ONE_OBJECT: dict[tuple[str, str], Callable[[Ids], tuple[str, Any]]] = dict(
    (
        _of("GET", _RESERVATION),
        _of("GET", f"{_RESERVATION}/history"),
        _of("POST", f"{_RESERVATION}/cancel"),
        _of("POST", f"{_RESERVATION}/reopen"),
        _of("GET", _RESTAURANT),
        _of("PATCH", _RESTAURANT, {"name": "Mine"}),
        _of("DELETE", _RESTAURANT),
        _of("GET", _AGENCY),
        _of("PATCH", _AGENCY, {"name": "Mine"}),
        _of("DELETE", _AGENCY),
        _of("POST", _NOTIFICATION, {"action": "CONFIRMED"}),
        _of("GET", _NOTIFICATION),
    )
)
OF_ALL: dict[tuple[str, str], tuple[str, Any]] = {
    ("GET", "/v1/reservations"): ("/v1/reservations", None),
    ("GET", "/v1/restaurants"): ("/v1/restaurants", None),
    ("GET", "/v1/agencies"): ("/v1/agencies", None),
    ("GET", "/v1/usual-channels"): ("/v1/usual-channels", None),
}
ELSEWHERE = {  # tested in test_reservations, by what they write
    ("POST", "/v1/reservations"),
    ("POST", "/v1/restaurants"),
    ("POST", "/v1/agencies"),
    ("PUT", "/v1/usual-channels/{userType}"),
    ("DELETE", "/v1/usual-channels/{userType}"),
}


async def reservations_of(world: World, owner: Client) -> Ids:
    """One of each."""
    connection = await asyncpg.connect(world.settings.database.url)
    for table in ("restaurants", "agencies", "reservations"):
        await connection.execute(f"ALTER TABLE tidings.{table} ALTER COLUMN id RESTART WITH {_FAR}")
    await connection.close()
    restaurant = await made(owner, "/v1/restaurants", {"name": "Canary", "timezone": "Europe/Rome"})
    agency = await made(owner, "/v1/agencies", {"name": "Canary"})
    guest = await made(owner, "/v1/people", {"name": "Canary", "userType": "CUSTOMER"})
    asked = {"restaurantId": restaurant["id"], "customerId": guest["id"], "agencyId": agency["id"], "partySize": 2}
    reservation = await made(owner, "/v1/reservations", {**asked, "time": in_(days=1), "note": "canary"})
    return {
        "restaurant": str(restaurant["id"]),
        "agency": str(agency["id"]),
        "reservation": str(reservation["id"]),
        "guest": guest["id"],
    }


def shown_at(ids: Ids) -> tuple[str, ...]:
    path = f"/v1/reservations/{ids['reservation']}"
    return (path, f"{path}/history", f"/v1/restaurants/{ids['restaurant']}", f"/v1/agencies/{ids['agency']}")
