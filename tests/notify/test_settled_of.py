"""A listener that hears of the settled notices of one other listener costs nobody else's an intent."""

from __future__ import annotations

import pytest

import tidings
from tests.support.pipeline import Owner, add_person, drain, emit
from tidings.kit.settings import Settings
from tidings.spine.notify.listeners import LISTENING, Heard, Listener

pytestmark = pytest.mark.usefixtures("any_postgres")
EVERYONE = tidings.Selector(tidings.By.EVERYONE)


@tidings.listener("order.paid", name="bills")
async def bills(fact: Heard) -> tidings.Notice:
    return tidings.Notice("A bill", "To pay", [EVERYONE], ["email"])


@tidings.listener("order.paid", name="thanks")
async def thanks(fact: Heard) -> tidings.Notice:
    return tidings.Notice("Thank you", "For paying", [EVERYONE], ["email"])


async def test_only_the_notices_of_the_listener_that_it_names_cause_it_an_intent(
    owner: Owner, sending: Settings
) -> None:
    heard = []

    async def hear(fact: Heard) -> None:
        heard.append(fact.data["noticeId"])

    vars(hear)[LISTENING] = (Listener("billed", ("notice.settled",), hear, settles="bills"),)
    await add_person(owner, email="ada@example.com")
    await emit(owner)
    await drain(sending, bills, thanks, hear)
    said = await owner.fetch("SELECT id::text, listener FROM tidings.notices ORDER BY listener")
    assert [row["listener"] for row in said] == ["bills", "thanks"]
    assert heard == [said[0]["id"]]
    assert await owner.fetchval("SELECT count(*) FROM tidings.facts WHERE type = 'notice.settled'") == 2
    assert (
        await owner.fetchval("SELECT count(*) FROM tidings.outbox_finished WHERE kind = 'notice.listener.billed'") == 1
    )
