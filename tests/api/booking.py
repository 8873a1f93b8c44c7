"""A restaurant, its staff, an admin of the trade and a customer, for tests of the API: and what each was sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeAlias
from uuid import UUID

from tests.api.event_routes import in_
from tests.api.world import Answer, Client, World
from tests.support.pipeline import kept
from tidings.spine.access.data_keys import unlocked
from tidings.spine.notify.matters.links import ActionLink, ActionLinks, open_action_links
from tidings.testing import adrain

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
Kept: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class House:
    """People of acme by what they are, and the restaurant that the waiter works at."""

    world: World
    admin: Client
    restaurant: int
    people: dict[str, UUID]

    async def requested(self, **fields: Any) -> int:
        body = {"restaurantId": self.restaurant, "customerId": str(self.people["customer"]), "partySize": 4}
        answer = await self.admin.post("/v1/reservations", {**body, "time": in_(days=2), **fields})
        assert answer.status == 201, answer.text
        id: int = answer.json["data"]["id"]  # noqa: A001
        return id

    async def status(self, id: int) -> str:
        status: str = await self.world.pool.fetchval("SELECT status FROM tidings.reservations WHERE id = $1", id)
        return status

    async def settled(self) -> list[tuple[str, str | None, bool]]:
        """Who acted, or tried to: the action, the actor, and whether they were the first."""
        rows = await self.world.pool.fetch("SELECT action, actor, won FROM tidings.actions ORDER BY NOT won, id")
        return [(row["action"], row["actor"], row["won"]) for row in rows]

    async def messages(self, ahead: timedelta | None = None) -> list[Kept]:
        """What everybody has been sent by now."""
        await adrain(self.world.settings, ahead=ahead)
        return await kept(self.world.pool, self.world.settings)  # type: ignore[arg-type]

    async def sent(self, who: str, channel: str = "email") -> Kept:
        """The one message that somebody got with buttons."""
        (found,) = [m for m in await self.messages() if _is_to(m, who) and m["channel"] == channel and m["buttons"]]
        return found

    async def links(self) -> ActionLinks:
        return open_action_links(await unlocked(self.world.settings, self.world.pool), "http://tidings.example")

    async def read(self, url: str) -> ActionLink:
        link = (await self.links()).read(token_of(url))
        assert link is not None
        return link


async def house_of(world: World, locales: Sequence[str | None] = (None, None, None), **restaurant: Any) -> House:
    admin = world.as_(world.admin)
    made = await admin.post("/v1/restaurants", {"name": "The mill", "timezone": "Europe/Rome", **restaurant})
    assert made.status == 201, made.text
    given = made.json["data"]
    people = {}
    kinds = {"waiter": "RESTAURANT_USER", "trade": "ADMIN_USER", "customer": "CUSTOMER"}
    for (name, kind), locale in zip(kinds.items(), locales, strict=True):
        body = {"name": name.title(), "userType": kind, "email": f"{name}@example.com", "timezone": "Europe/Rome"}
        if locale is not None:
            body["locale"] = locale
        if name == "trade":
            body["slackWebhook"] = "https://hooks.slack.com/services/T/B/trade"
        answer = await admin.post("/v1/people", body)
        assert answer.status == 201, answer.text
        people[name] = UUID(answer.json["data"]["id"])
    await world.pool.execute(
        "INSERT INTO tidings.group_members (tenant, group_id, person_id) VALUES ('acme', $1, $2)",
        UUID(given["groupId"]),
        people["waiter"],
    )
    return House(world, admin, given["id"], people)


def _is_to(message: Kept, who: str) -> bool:
    return bool(message["name"] == who.title())


def link_in(message: Kept, label: str) -> str:
    """As a person finds it, under its label."""
    found = re.search(rf"^{label}:\n(https?://\S+/act/[A-Za-z0-9_-]+)$", message["text"], re.MULTILINE)
    assert found, message["text"]
    return found[1]


def token_of(url: str) -> str:
    return url.rpartition("/")[2]


async def opened(client: Client, url: str, method: str = "GET", **headers: str) -> Answer:
    return await client.call(method, f"/act/{token_of(url)}", headers=headers)


async def pressed(client: Client, url: str, action: str) -> Answer:
    return await client.call("POST", f"/act/{token_of(url)}", data=f"action={action}", headers=FORM)
