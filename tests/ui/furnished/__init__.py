"""A house that is lived in: something on every page. Made over the API, as its people would have."""

from __future__ import annotations

from playwright.async_api import Page

from tests.support.pipeline import add_rule, emit
from tests.support.temporal import until
from tests.ui.clerk import Clerk
from tests.ui.furnished.events import SAID, events
from tests.ui.furnished.organizations import organizations
from tests.ui.furnished.reports import reports
from tests.ui.furnished.reservations import reservations
from tests.ui.furnished.spine import access, people, providers, rules
from tests.ui.house import House
from tests.ui.test_outbox import DEAD

_FIGURES = """
INSERT INTO tidings.figures
SELECT date_trunc('minute', now()) - g * interval '1 minute', $1, p, f, f * 2 - g % 7, g % 3, (g % 11 = 4)::int * 2,
    (g % 23 = 7)::int
FROM generate_series(3, 59) g, LATERAL (SELECT (22 + 9 * sin(g / 6.0) + 4 * cos(g * 1.7))::bigint) AS s(f),
    LATERAL (VALUES ('00000000-0000-0000-0000-000000000000'::uuid)) AS q(p)
"""
_WAITING = "SELECT count(*) FROM tidings.deliveries WHERE tenant = $1 AND run_at <= now()"
_TOLD = "SELECT count(DISTINCT title) FROM tidings.notices WHERE tenant = $1 AND title = ANY($2::text[])"


async def furnish(house: House, page: Page) -> dict[str, str]:
    """Returns the ids by which the pages of single things are found."""
    clerk = Clerk(page)
    ids = await people(clerk)
    ids |= await rules(clerk)
    ids |= await providers(clerk)
    ids |= await events(clerk)
    ids |= await reservations(clerk)
    ids |= await organizations(house, page)
    ids |= await reports(clerk)
    await access(clerk)
    for n in range(1, 7):
        ids["factId"] = str(await emit(house.owner, tenant=house.tenant, id=n, total=n * 120, person="owner"))
    await house.owner.execute(DEAD, house.tenant)
    await house.owner.execute(_FIGURES, house.tenant)
    await add_rule(
        house.owner, "order.shipped", tenant=house.tenant, name="Ask how it was", delay="7d", channels=["email"]
    )
    await emit(house.owner, "order.shipped", tenant=house.tenant, id=3)
    await until(lambda: _settled(house))
    (message, *_) = await clerk.call("GET", "/sandbox?channel=email")
    return ids | {"messageId": message["id"]}


async def _settled(house: House) -> bool:
    """Whether what has to go out now has."""
    expected = [SAID, *(f"Order {n} is paid" for n in range(2, 7))]
    told = await house.owner.fetchval(_TOLD, house.tenant, expected)
    waiting = await house.owner.fetchval(_WAITING, house.tenant)
    return (told, waiting) == (len(expected), 0)
