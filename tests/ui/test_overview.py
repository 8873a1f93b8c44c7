"""The overview: by the hand from nothing to the first message, and then whether all is well, as it happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from playwright.async_api import Page, expect

from tests.support.pipeline import add_person, add_rule, emit
from tests.ui.axe import complaints
from tests.ui.house import House
from tests.ui.test_outbox import DEAD
from tidings.spine.access.identity import Role


async def test_an_empty_stack_is_led_to_its_first_message(house: House, tmp_path: Path) -> None:
    page = await house.visitor()
    await expect(page.get_by_role("heading", name="Your first message")).to_be_visible()
    assert await complaints(page) == []
    await _run_what_the_page_says(page, house, tmp_path)

    await page.get_by_role("button", name="Add an example person").click()
    await page.get_by_role("button", name="Make an example rule").click()
    await page.get_by_role("button", name="Emit order.paid again").click()
    await expect(page.get_by_role("heading", name="Your first message has arrived")).to_be_visible()
    await page.get_by_role("link", name="Look at it").click()
    await expect(page.get_by_text("Order 7 is paid").first).to_be_visible()


async def test_each_way_to_emit_that_is_shown_works(house: House, tmp_path: Path) -> None:
    page = await house.visitor()
    await page.get_by_role("tab", name="SQL").click()
    await house.owner.execute(await page.get_by_role("region", name="SQL example").inner_text())
    await expect(page.get_by_role("button", name="Add an example person")).to_be_visible()

    await house.owner.execute("DELETE FROM tidings.facts WHERE tenant = $1", house.tenant)
    await page.reload()
    await page.get_by_role("tab", name="curl").click()
    shown = await page.get_by_role("region", name="curl example").inner_text()
    (tmp_path / "tidings").write_text(f'#!/bin/sh\nexec {sys.executable} -m tidings "$@"\n')
    (tmp_path / "tidings").chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    subprocess.run(["sh", "-ec", shown], env=_environment(house) | {"PATH": path}, check=True, capture_output=True)
    await expect(page.get_by_role("button", name="Add an example person")).to_be_visible()


async def test_what_goes_out_and_what_fails_is_on_the_page_as_it_happens(house: House) -> None:
    await add_person(house.owner, tenant=house.tenant, email="owner@example.com", push="token")
    await add_rule(house.owner, tenant=house.tenant, channels=["email"])
    page = await house.visitor()
    await emit(house.owner, tenant=house.tenant)
    await expect(page.get_by_role("link", name="Sent, last hour 1")).to_be_visible(timeout=30_000)
    await expect(page.get_by_role("img", name=re.compile("Facts, messages sent and failures"))).to_be_visible()
    await expect(page.get_by_text("email by")).to_be_visible()

    await house.owner.execute(DEAD, house.tenant)
    await emit(house.owner, tenant=house.tenant)
    await expect(page.get_by_role("link", name="Dead letters 1")).to_be_visible(timeout=30_000)
    await page.get_by_role("link", name="invoice.send").click()
    await expect(page.get_by_role("dialog")).to_contain_text("the printer is on fire")
    await page.go_back()
    assert await complaints(page) == []


async def test_a_member_sees_how_it_stands_and_is_offered_nothing_they_may_not_do(house: House) -> None:
    page = await house.visitor(Role.MEMBER)
    await expect(page.get_by_role("heading", name="Your first message")).to_be_visible()
    await expect(page.get_by_role("button", name="Emit it from here")).to_have_count(0)
    await expect(page.get_by_role("link", name="Rules", exact=True)).to_have_count(0)


async def _run_what_the_page_says(page: Page, house: House, folder: Path) -> None:
    script = folder / "first.py"
    script.write_text(await page.get_by_role("region", name="Python example").inner_text())
    subprocess.run([sys.executable, script], env=_environment(house), check=True)
    await expect(page.get_by_role("button", name="Add an example person")).to_be_visible()


def _environment(house: House) -> dict[str, str]:
    return dict(os.environ) | {"TIDINGS_DATABASE_URL": house.stack.database_url, "TIDINGS_MASTER_KEY": "A" * 43}
