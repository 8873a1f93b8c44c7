"""The outbox page: a dead letter found, understood and tried again; what a member may not do is not offered."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.ui.house import House
from tidings.spine.access.identity import Role

DEAD = """
INSERT INTO tidings.outbox_finished (id, tenant, kind, payload, due_at, run_at, status, attempts, crashes, last_error,
    generation, created_at, updated_at)
SELECT tidings.uuid7(), $1, 'invoice.send', '{"invoice": 7}', now(), now(), 'dead', 5, 0, 'the printer is on fire',
    0, now(), now()
"""


async def test_a_dead_letter_is_found_understood_and_tried_again(house: House) -> None:
    await house.owner.execute(DEAD, house.tenant)
    page = await house.visitor()
    await page.goto("/outbox")
    await page.get_by_role("button", name=re.compile("Dead")).click()
    await expect(page).to_have_url(re.compile("status=dead"))
    await page.get_by_role("button", name="invoice.send").click()
    drawer = page.get_by_role("dialog")
    await expect(drawer).to_contain_text("the printer is on fire")
    await expect(drawer).to_contain_text('"invoice": 7')
    await drawer.get_by_role("button", name="Try again").click()
    await expect(page.get_by_text("It is tried again now.")).to_be_visible()
    waiting = "SELECT count(*) FROM tidings.outbox WHERE tenant = $1 AND kind = 'invoice.send'"
    assert await house.owner.fetchval(waiting, house.tenant) == 1


async def test_a_member_sees_the_reason_and_is_not_offered_what_they_may_not_do(house: House) -> None:
    await house.owner.execute(DEAD, house.tenant)
    page = await house.visitor(Role.MEMBER)
    await page.goto("/outbox?status=dead")
    await page.get_by_role("button", name="invoice.send").click()
    await expect(page.get_by_role("dialog")).to_contain_text("the printer is on fire")
    await expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    await expect(page.get_by_role("button", name="Redrive dead letters…")).to_have_count(0)
