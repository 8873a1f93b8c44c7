"""Bootstraps from their request to their end, with the waits skipped."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from tests.modules.organizations.process.lives import (
    LIVES,
    Stuck,
    cancelled_while_it_waits,
    not_undone_at_once,
    taken_on,
)
from tests.support.founding import Saga
from tidings.modules.organizations.reconciling import compare
from tidings.modules.organizations.undoing import Undoing
from tidings.testing import adrain_outbox


@pytest.mark.parametrize("name", LIVES)
async def test_what_is_left_is_what_should_be(saga: Saga, name: str) -> None:
    life = LIVES[name]
    saga = saga.with_dns(life.provider())
    asked = await life.live(saga)
    state = asdict(await saga.founder.state(asked)) | {"left_over": tuple((await saga.founder.state(asked)).left_over)}
    assert {what: state[what] for what in life.left} == life.left
    assert await compare(saga.pool, "default", asked, mends=False) == []


async def test_eight_steps_forward(saga: Saga) -> None:
    asked = await taken_on(saga)
    assert (await saga.founder.state(asked)).facts == [
        "organization.bootstrap.initiated",
        "organization.created",
        "organization.permissions.granted",
        "organization.dns.configured",
        "organization.subdomain.verified",
        "user.invited",
        "user.invited",
        "invitation.email.requested",
        "invitation.email.requested",
        "invitation.email.sent",
        "invitation.email.sent",
        "organization.bootstrap.completed",
    ]


async def test_undone_in_reverse(saga: Saga) -> None:
    asked = await cancelled_while_it_waits(saga)
    assert (await saga.founder.state(asked)).facts[-6:] == [
        "organization.cancellation.requested",
        "organization.bootstrap.compensating",
        "organization.dns.removed",
        "organization.permissions.revoked",
        "organization.deactivated",
        "organization.bootstrap.cancelled",
    ]


async def test_what_was_not_undone_at_once_is_undone_when_the_provider_is_back(saga: Saga) -> None:
    """And then somebody else may have the subdomain."""
    provider = Stuck()
    saga = saga.with_dns(provider)
    asked = await not_undone_at_once(saga)
    provider.stuck = False
    undoing = Undoing(saga.pool, saga.reconciler.dns)
    assert await adrain_outbox(saga.stage.settings, undoing.kind()) == {"succeeded": 1}
    state = await saga.founder.state(asked)
    assert (state.status, state.records, list(state.left_over), state.holds_subdomain) == ("cancelled", 0, [], False)
    assert state.facts[-2:] == ["organization.dns.removed", "organization.undo.done"]
    assert await saga.founder.ask("north") != asked
