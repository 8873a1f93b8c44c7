"""Organisations: a provider that is active, one partner that waits for DNS below it, another that was cancelled."""

from __future__ import annotations

from playwright.async_api import Page

from tests.api.organization_routes import user
from tests.ui.clerk import Clerk
from tests.ui.founding import Office
from tests.ui.house import House

_OURS = "{}@north-clinic.example.com"


async def organizations(house: House, page: Page) -> dict[str, str]:
    office = Office(house, page, Clerk(page))
    users = [
        user(_OURS.format("ada"), "provider_admin", "Ada", "Admin"),
        user(_OURS.format("max"), "member", "Max", "Member"),
        user(_OURS.format("pia"), "partner_admin", "Pia", "Partner"),
    ]
    north = await office.taken_on("north-clinic", name="The north clinic", users=users)
    lake = await office.asked("lake-practice", name="The practice at the lake", type="partner", parentId=north)
    hill = await office.asked("hill-practice", name="The practice on the hill", type="partner", parentId=north)
    await office.clerk.call("POST", f"/organizations/bootstrap/{hill}/cancel")
    await (await office.joined(_OURS.format("ada"))).context.close()
    invitations = await office.clerk.call("GET", f"/organizations/{north}/invitations")
    (pia,) = [each["id"] for each in invitations if each["email"] == _OURS.format("pia")]
    await office.clerk.call("POST", f"/organizations/{north}/invitations/{pia}/revoke")
    await office.comes_to(hill, status="cancelled")
    return {"organizationId": north, "bootstrapId": lake, "accept": await office.link(_OURS.format("max"))}
