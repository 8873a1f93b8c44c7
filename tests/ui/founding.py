"""An office that takes organisations on: what stories of them begin with. DNS takes until somebody hurries it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.async_api import Locator, Page

from tests.api.organization_routes import a_request, link_in
from tests.support.temporal import until
from tests.ui.clerk import Clerk
from tests.ui.house import DESK, House

PATIENCE = 20_000
PASSWORD = "a password of my own"
STEPS = ("Create it", "Grant permissions", "Set up its domain", "Wait for DNS", "Verify the domain",
         "Make the invitations", "Mail the invitations", "Activate it")  # fmt: skip


@dataclass(frozen=True)
class Office:
    house: House
    admin: Page
    clerk: Clerk

    async def asked(self, subdomain: str = "north", **fields: Any) -> str:
        """One that waits for DNS."""
        body = a_request(subdomain, **fields)
        id: str = (await self.clerk.call("POST", "/organizations/bootstrap", body))["organizationId"]  # noqa: A001
        await self.comes_to(id, stage="waitForPropagation")
        return id

    async def mailing(self, subdomain: str = "north", **fields: Any) -> str:
        """One whose DNS is there."""
        id = await self.asked(subdomain, **fields)  # noqa: A001
        await self.clerk.call("POST", f"/organizations/bootstrap/{id}/retry-dns")
        return id

    async def taken_on(self, subdomain: str = "north", **fields: Any) -> str:
        id = await self.mailing(subdomain, **fields)  # noqa: A001
        await self.comes_to(id, status="completed")
        return id

    async def comes_to(self, id: str, *, status: str | None = None, stage: str | None = None) -> None:
        async def there() -> bool:
            now = await self.clerk.call("GET", f"/organizations/bootstrap/{id}/status")
            return status in (None, now["status"]) and stage in (None, now["live"]["stage"])

        await until(there)

    async def link(self, address: str) -> str:
        """In the newest mail to it, once there is one."""
        found: list[str] = []

        async def mailed() -> bool:
            for each in await self.clerk.call("GET", "/sandbox?channel=email"):
                mail = await self.clerk.call("GET", f"/sandbox/{each['id']}")
                if mail["to"] == address:
                    found.append("/auth/accept-invitation?token=" + link_in(mail)[1])
                    return True
            return False

        await until(mailed)
        return found[0]

    async def stranger(self) -> Page:
        """Somebody at the door."""
        context = await self.house.browser.new_context(
            viewport=DESK,  # type: ignore[arg-type]
            base_url=self.house.stack.url,
            timezone_id="Europe/Vienna",
            locale="en-GB",
        )
        return await context.new_page()

    async def joined(self, address: str) -> Page:
        """Somebody who has accepted their invitation."""
        page = await self.stranger()
        token = (await self.link(address)).partition("token=")[2]
        reply = await page.request.post("/v1/invitations/accept", data={"token": token, "password": PASSWORD})
        assert reply.status == 201, await reply.text()
        return page


async def office_of(house: House) -> Office:
    admin = await house.visitor()
    return Office(house, admin, Clerk(admin))


def step(page: Page, title: str) -> Locator:
    """On the page that says how far it is."""
    return page.get_by_role("list", name="Steps").get_by_role("listitem").filter(has_text=title)
