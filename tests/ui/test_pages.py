"""Every page, furnished and empty, on a desk and on a phone, in both themes: axe finds nothing serious, nothing hangs
over the edge, and each has a title and one first heading."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from tests.support.postgres import Server
from tests.support.temporal import DevServer
from tests.ui.axe import complaints
from tests.ui.furnished import furnish
from tests.ui.house import DESK, PHONE, House, Stack, on_temporal, running
from tests.ui.pages import PAGES, routes


@pytest.fixture(scope="module")
def stack(postgres_18: Server, temporal_server: DevServer) -> Iterator[Stack]:
    with postgres_18.database() as url, running(url, on_temporal(temporal_server.address)) as stack:
        yield stack


def test_every_page_is_known() -> None:
    assert set(PAGES) == routes()


@pytest.mark.timeout(300)  # each page is loaded, judged in both themes and measured at both widths
async def test_furnished_pages_are_for_everybody(apart: House) -> None:
    page = await apart.visitor(person="The manager")
    ids = await furnish(apart, page)
    found = {}
    for route, address in PAGES.items():
        found[route] = await _wrong_with(page, address.format_map(ids))
    assert {route: wrong for route, wrong in found.items() if wrong} == {}


@pytest.mark.timeout(300)
async def test_empty_pages_are_for_everybody(house: House) -> None:
    page = await house.visitor(person="The manager")
    found = {}
    for route in PAGES:
        if "$" not in route:
            found[route] = await _wrong_with(page, route)
    assert {route: wrong for route, wrong in found.items() if wrong} == {}


async def _wrong_with(page: Page, address: str) -> list[str]:
    await page.set_viewport_size(DESK)  # type: ignore[arg-type]
    await page.goto(address)
    await expect(page.get_by_role("heading", level=1)).to_have_count(1)
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)
    wrong = await complaints(page)
    if not (await page.title()).endswith("Tidings"):
        wrong.append(f"its title is {await page.title()}")
    for size in (DESK, PHONE):
        await page.set_viewport_size(size)  # type: ignore[arg-type]
        if not await page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            wrong.append(f"it hangs over the edge of {size['width']} px")
    return wrong
