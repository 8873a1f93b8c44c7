"""A restaurant with its people, and a customer: what stories of reservations begin with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from playwright.async_api import Locator, Page

from tests.ui.clerk import Clerk
from tests.ui.house import House
from tidings.spine.access.identity import Role

TOKYO, VIENNA = ZoneInfo("Asia/Tokyo"), ZoneInfo("Europe/Vienna")
PATIENCE = 20_000


@dataclass(frozen=True)
class Table:
    """The Anchor, somewhere. The manager and the host decide, and the guest asks."""

    house: House
    manager: Page
    """Of an admin of the tenant, who is an admin of the trade too."""
    clerk: Clerk
    restaurant: dict[str, Any]
    guest: str

    async def host(self, name: str = "The host") -> Page:
        """A page of somebody who works there."""
        page = await self.house.visitor(Role.MEMBER, person=name)
        person = await self._is(name, "RESTAURANT_USER")
        await self.clerk.call("PUT", f"/groups/{self.restaurant['groupId']}/members/{person}")
        return page

    async def customer(self) -> Page:
        """A page of the guest."""
        page = await self.house.visitor(Role.MEMBER)
        await self.house.owner.execute(
            "UPDATE tidings.people SET user_id = (SELECT id FROM tidings.users ORDER BY created_at DESC LIMIT 1) "
            "WHERE id = $1::text::uuid",
            self.guest,
        )
        return page

    async def asked(self, **more: Any) -> dict[str, Any]:
        """A reservation, made over the API."""
        body = {"restaurantId": self.restaurant["id"], "customerId": self.guest, "partySize": 4,
                "time": in_days(9).isoformat()}  # fmt: skip
        return dict(await self.clerk.call("POST", "/reservations", body | more))

    async def _is(self, name: str, user_type: str) -> str:
        (found,) = await self.clerk.call("GET", f"/people?q={name}")
        await self.clerk.call("PATCH", f"/people/{found['id']}", {"userType": user_type})
        return str(found["id"])


async def laid(house: House, timezone: str = "Europe/Vienna", **more: Any) -> Table:
    page = await house.visitor(person="The manager")
    clerk = Clerk(page)
    restaurant = await clerk.call("POST", "/restaurants", {"name": "The Anchor", "timezone": timezone} | more)
    guest = await clerk.call(
        "POST", "/people", {"name": "The guest", "userType": "CUSTOMER", "email": "guest@example.com"}
    )
    table = Table(house, page, clerk, restaurant, guest["id"])
    await table._is("The manager", "ADMIN_USER")
    return table


def request(page: Page, text: str = "Reservation request") -> Locator:
    """A notice in the inbox."""
    return page.get_by_role("article").filter(has_text=text)


def in_days(days: int, zone: ZoneInfo = VIENNA, hour: int = 19) -> datetime:
    return (datetime.now(zone) + timedelta(days=days)).replace(hour=hour, minute=30, second=0, microsecond=0)


def wall(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M")


def said(moment: datetime, zone: ZoneInfo = VIENNA) -> str:
    """As the page says it in British English."""
    there = moment.astimezone(zone)
    month = "Sept" if there.month == 9 else there.strftime("%b")
    return f"{there:%a}, {there.day} {month} {there:%Y, %H:%M}"
