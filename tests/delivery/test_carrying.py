"""What a message carries beside its words."""

from __future__ import annotations

import pytest

from tests.support.pipeline import Owner, add_person, add_rule, drain, emit, kept
from tidings.kit.settings import Settings
from tidings.spine.channels.port import Channel
from tidings.spine.delivery.carrying import carried

APPROVED = {"name": "order_paid", "language": "{{ person.locale }}", "parameters": ["{{ data.id }}", 2]}


async def test_whatsapp_is_told_the_approved_template_that_a_rule_names_filled_for_the_person(
    owner: Owner, sending: Settings
) -> None:
    await add_person(owner, phone="+390612345678", locale="it")
    await add_rule(owner, channels=["whatsapp", "sms"], properties={"whatsapp": APPROVED})
    await emit(owner, id=7)
    await drain(sending)
    told = {message["channel"]: message["data"].get("whatsapp") for message in await kept(owner, sending)}
    assert told == {"whatsapp": {"name": "order_paid", "language": "it", "parameters": ["7", 2]}, "sms": None}


async def test_what_a_fact_says_is_no_template(owner: Owner, sending: Settings) -> None:
    """Whoever can cause a fact must not decide what is rendered."""
    await add_person(owner, phone="+390612345678")
    await add_rule(owner, channels=["whatsapp"])
    await emit(owner, whatsapp=APPROVED)
    await drain(sending)
    assert [message["data"].get("whatsapp") for message in await kept(owner, sending)] == [None]


@pytest.mark.parametrize("channel", Channel)
def test_a_webhook_is_an_event_with_the_type_and_the_time_of_its_fact(channel: Channel) -> None:
    fact = {"id": "1", "type": "order.paid", "occurredAt": "2026-01-01T00:00:00+00:00"}
    along = carried(channel, {"fact": fact, "data": {}}, None, str)
    event = {"type": "order.paid", "timestamp": "2026-01-01T00:00:00+00:00"}
    assert along == {"fact": fact, "data": {}} | (event if channel is Channel.WEBHOOK else {})
