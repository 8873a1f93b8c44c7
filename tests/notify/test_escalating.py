"""An escalation as a listener says it: at which level, over which channels, how often; and what none can be."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

import tidings
from tests.support.pipeline import Owner, add_person, emit, kept, until_waiting
from tidings.kit.db import Pool, as_tenant
from tidings.kit.settings import Settings
from tidings.spine.delivery.notice_records import Notices
from tidings.spine.notify.listeners import Heard
from tidings.testing import adrain

EVERYONE = tidings.Selector(tidings.By.USER_TYPE, ("support",))
LEADS = tidings.Selector(tidings.By.USER_TYPE, ("lead",))
AFTER = timedelta(minutes=20)
DUE = "UPDATE tidings.outbox SET run_at = now(), due_at = now() WHERE kind = 'notice.escalate'"
SAID = "SELECT id, level, created_at FROM tidings.notices WHERE listener LIKE '%/escalation' ORDER BY id"


@tidings.listener("refund.asked")
async def ask_support(fact: Heard) -> tidings.Notice:
    escalation = tidings.Escalation(AFTER, [LEADS], ["email", "email"], level="warning", times=2)
    return tidings.Notice("Refund?", "Of 7", [EVERYONE], ["email"], shared=True, escalation=escalation)


@pytest.fixture
async def asked(owner: Owner, sending: Settings) -> None:
    await add_person(owner, "Support", email="support@example.com", user_type="support")
    await add_person(owner, "Lead", email="lead@example.com", user_type="lead")
    await emit(owner, "refund.asked")
    await adrain(sending, ask_support)


async def test_others_are_told_at_the_level_that_was_said(owner: Owner, sending: Settings, asked: None) -> None:
    await owner.execute(DUE)
    await adrain(sending, ask_support)
    first, second = await kept(owner, sending)
    assert (first["to"], first["level"]) == ("support@example.com", "info")
    assert (second["to"], second["level"], second["channel"]) == ("lead@example.com", "warning", "email")


async def test_the_second_waits_as_long_as_the_first(owner: Owner, sending: Settings, asked: None) -> None:
    """By the database's clock: from when the first was said."""
    waits = "SELECT run_at - $1::timestamptz FROM tidings.outbox WHERE kind = 'notice.escalate'"
    assert await owner.fetchval(waits, await owner.fetchval("SELECT created_at FROM tidings.notices")) == AFTER
    await owner.execute(DUE)
    await adrain(sending, ask_support)
    (said,) = await owner.fetch(SAID)
    assert await owner.fetchval(waits, said["created_at"]) == AFTER
    await adrain(sending, ask_support)
    assert len(await owner.fetch(SAID)) == 1
    await owner.execute(DUE)
    await adrain(sending, ask_support)
    assert [row["level"] for row in await owner.fetch(SAID)] == ["warning", "warning"]
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = 'notice.escalate'") == 0


async def test_one_that_is_closed_while_it_is_in_a_workers_hands_is_not_said(
    owner: Owner, pool: Pool, sending: Settings, asked: None
) -> None:
    """The worker waits for whoever closes it, and sees that they have."""
    await owner.execute(DUE)
    async with pool.acquire() as connection, as_tenant(connection, "default"):
        notice = await connection.fetchval("SELECT id FROM tidings.notices")
        await Notices(connection, "default").close(notice, "asked in person")
        escalating = asyncio.create_task(adrain(sending, ask_support))
        await until_waiting(owner, 1)
    await escalating
    assert await owner.fetch(SAID) == []
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = 'notice.escalate'") == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"after": timedelta(0)},
        {"after": timedelta(minutes=-1)},
        {"times": 0},
        {"times": 11},
        {"channels": []},
        {"channels": ["pigeon"]},
        {"level": "loud"},
    ],
    ids=str,
)
def test_what_no_escalation_can_be_is_refused_where_it_is_said(wrong: dict[str, Any]) -> None:
    given: dict[str, Any] = {"after": AFTER, "to": [LEADS], "channels": ["email"], "times": 10}
    tidings.Escalation(**given)
    with pytest.raises(ValueError, match=r"an escalation waits|is not a valid"):
        tidings.Escalation(**given | wrong)
