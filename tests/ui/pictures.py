"""`python -m tests.ui.pictures [--window] FOLDER [ROUTE …]`: every page as it looks, furnished and empty, on a desk and
on a phone, in both themes. To be looked at. With `--window` not the whole page, but what a window shows of it."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping
from pathlib import Path

from playwright.async_api import Page, expect

from tests.support.postgres import embedded_18
from tests.support.temporal import dev_server
from tests.ui.furnished import furnish
from tests.ui.house import House, Stack, on_temporal, opened, running
from tests.ui.pages import PAGES, named


def main(folder: Path, routes: list[str], *, whole: bool) -> None:
    with (
        embedded_18() as server,
        server.database() as url,
        dev_server() as temporal,
        running(url, on_temporal(temporal.address)) as stack,
    ):
        asyncio.run(_take(stack, folder, routes, whole))


async def _take(stack: Stack, folder: Path, routes: list[str], whole: bool) -> None:
    async with opened(stack) as house:
        await house.visitor(person="The manager")
        await _all(house, folder / "empty", {route: route for route in routes if "$" not in route}, whole)
        page = await house.visitor()
        await _is_manager(house)
        ids = await furnish(house, page)
        await _all(house, folder / "furnished", {route: PAGES[route].format_map(ids) for route in routes}, whole)


async def _all(house: House, folder: Path, addresses: Mapping[str, str], whole: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for device, theme in ((device, theme) for device in ("desk", "phone") for theme in ("light", "dark")):
        page = await house.visitor(phone=device == "phone", dark=theme == "dark")
        await _is_manager(house)
        for route, address in addresses.items():
            await _one(page, address, folder / f"{named(route)}-{device}-{theme}.png", whole)
        await page.context.close()


async def _is_manager(house: House) -> None:
    """Who has signed in last."""
    await house.owner.execute(
        "UPDATE tidings.people SET user_id = (SELECT id FROM tidings.users ORDER BY created_at DESC LIMIT 1) "
        "WHERE tenant = $1 AND name = 'The manager'",
        house.tenant,
    )


async def _one(page: Page, address: str, file: Path, whole: bool) -> None:
    await page.goto(address)
    await expect(page.get_by_role("heading", level=1)).to_have_count(1)
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)
    await page.wait_for_timeout(600)
    await page.screenshot(path=file, full_page=whole)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.ui.pictures", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("routes", nargs="*", default=list(PAGES))
    parser.add_argument("--window", action="store_true")
    asked = parser.parse_args()
    main(asked.folder, asked.routes, whole=not asked.window)
