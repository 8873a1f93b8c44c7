"""The example of a notice that asks, and of what is done once somebody has answered, as they stand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.docs.pages import DocumentPage
from tests.support.pipeline import Owner, add_person, emit, kept, sending_settings
from tidings.kit import db
from tidings.spine.notify.matters.model import Action, Deed
from tidings.spine.notify.matters.settling import Matters, Won
from tidings.testing import adrain


async def test_the_leads_are_told_where_nobody_answers_and_the_answer_is_carried_out(
    database_url: str, owner: Owner
) -> None:
    paid: list[str] = []

    async def pay_back(order: str) -> None:
        paid.append(order)

    names: dict[str, Any] = {"pay_back": pay_back}
    exec(DocumentPage.read("docs/reference/actions.md").block("python", "Escalation"), names)
    settings, declared = sending_settings(database_url), (names["ask_support"], names["refund"])
    person = await add_person(owner, "Support", email="support@example.com")
    group = await owner.fetchval(
        "INSERT INTO tidings.groups (tenant, external_id, name) VALUES ('default', 'support', 'Support') RETURNING id"
    )
    await owner.execute("INSERT INTO tidings.group_members VALUES ('default', $1, $2)", group, person)
    await add_person(owner, "Lead", email="lead@example.com", user_type="support-lead")
    await emit(owner, "refund.asked", orderId=7, reason="It is broken.")
    await adrain(settings, *declared)
    (asked,) = [m for m in await kept(owner, settings) if m["channel"] == "email"]
    assert (asked["subject"], len(asked["buttons"])) == ("Refund order 7?", 2)
    await adrain(settings, *declared, ahead=timedelta(minutes=30))
    (_, escalated) = [m for m in await kept(owner, settings) if m["channel"] == "email"]
    assert (escalated["to"], escalated["level"], len(escalated["buttons"])) == ("lead@example.com", "critical", 2)
    notification = await owner.fetchval("SELECT id FROM tidings.notifications WHERE person_id = $1", person)
    async with db.as_tenant(owner, "default"):
        outcome = await Matters(owner, "default", {}).act(notification, person, "test", Deed(Action.CONFIRMED))
    assert isinstance(outcome, Won)
    await adrain(settings, *declared)
    assert paid == ["7"]
