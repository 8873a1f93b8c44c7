"""The sandbox in the suite of all adapters, and the failures that it can be asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast
from uuid import uuid4

import pytest

from tests.channels import test_conformance as suite
from tests.channels.behaviours import Behaviour, Case
from tests.delivery.post_office import PostOffice
from tests.support.pipeline import Owner, add_person, add_rule, drain, emit, kept
from tidings.kit.settings import Settings
from tidings.spine.channels.port import Adapter, Channel, Message, Outcome
from tidings.spine.channels.registry import Outside
from tidings.spine.delivery.sandbox import Sandbox

B = Behaviour
ASKED = {
    B.TAKES_IT: "",
    B.IS_BUSY: "+busy",
    B.ASKS_TO_WAIT: "+wait",
    B.REFUSES_CREDENTIALS: "+refused",
    B.REJECTS_IT: "+reject",
    B.KNOWS_NO_SUCH_ADDRESS: "+gone",
    B.TAKES_IT_AND_IS_SILENT: "+silent",
}
SUITE: dict[str, Callable[[Case, Any], Any]] = {
    "a receipt": suite.test_what_is_taken_is_sent_with_a_receipt,
    "busy": suite.test_a_passing_failure_is_deferred,
    "asks to wait": suite.test_a_provider_that_asks_to_wait_is_heard,
    "refuses credentials": suite.test_refused_credentials_are_deferred_and_the_providers_matter,
    "rejects": suite.test_what_will_never_be_taken_is_rejected,
    "gone": suite.test_an_address_that_is_no_more_is_reported_gone,
    "silent": suite.test_silence_after_it_was_taken_is_unknown,
    "the same key": suite.test_every_attempt_carries_the_same_key,
}


@dataclass
class Asked:
    """A sandbox that is asked, by the address of each message, to behave in one way."""

    sandbox: Sandbox
    behaviour: Behaviour
    keys: list[str] = field(default_factory=list)

    def adapter(self, outside: Outside) -> Adapter:
        return self

    async def send(self, message: Message) -> Outcome:
        self.keys.append(message.key)
        asked = replace(message, to=f"owner{ASKED[self.behaviour]}@example.com")
        return await self.sandbox.of("default").send(asked)

    async def close(self) -> None: ...


@pytest.mark.parametrize("channel", list(Channel))
@pytest.mark.parametrize("promise", SUITE)
async def test_the_sandbox_keeps_what_every_adapter_promises(
    office: PostOffice, channel: Channel, promise: str
) -> None:
    message = Message(uuid4(), channel, "owner@example.com", "text", subject="subject")

    @asynccontextmanager
    async def start(behaviour: Behaviour) -> AsyncIterator[Asked]:
        yield Asked(Sandbox(office.pool, office.kept_vault), behaviour)

    case = Case("sandbox", message, start, receipt=f"sandbox:{message.id}")
    await SUITE[promise](case, cast("Callable[..., Outside]", lambda deadline: None))


async def test_the_same_delivery_again_is_kept_once(office: PostOffice) -> None:
    sandbox = Sandbox(office.pool, office.kept_vault)
    message = Message(uuid4(), Channel.PUSH, "token", "text")
    for _ in range(2):
        await sandbox.of("default").send(message)
    assert await office.owner.fetchval("SELECT count(*) FROM tidings.sandbox_messages") == 1


async def test_a_person_whose_address_asks_for_it_is_not_told(owner: Owner, sending: Settings) -> None:
    await add_person(owner, "Reachable", email="owner@example.com")
    await add_person(owner, "Gone", email="owner+gone@example.com")
    await add_rule(owner, channels=["email"])
    await emit(owner)
    await drain(sending)
    assert [message["name"] for message in await kept(owner, sending)] == ["Reachable"]
    assert await owner.fetchval("SELECT value FROM tidings.addresses WHERE disabled_at IS NOT NULL") == (
        "owner+gone@example.com"
    )
