"""A bootstrap from its request to its end, with the waits skipped."""

from __future__ import annotations

from datetime import timedelta

from tests.support.founding import Saga
from tidings.modules.organizations.reconciling import compare


async def test_eight_steps_forward(saga: Saga) -> None:
    asked = await saga.founder.ask()
    async with saga.stage.performed():
        await saga.stage.pass_on()
        result = await saga.ended(asked)
    state = await saga.founder.state(asked)
    assert result is not None
    assert result["status"] == "completed"
    assert (state.status, state.active, state.subdomain_status, state.records) == ("completed", True, "verified", 1)
    assert state.invitations == {"pending": 2}
    assert state.facts == [
        "organization.bootstrap.initiated",
        "organization.created",
        "organization.permissions.granted",
        "organization.dns.configured",
        "organization.subdomain.verified",
        "user.invited",
        "user.invited",
        "invitation.email.requested",
        "invitation.email.requested",
        "organization.bootstrap.completed",
    ]
    assert await compare(saga.pool, "default", asked, mends=False) == []


async def test_cancelled_while_it_waits_everything_is_undone_in_reverse(saga: Saga) -> None:

    asked = await saga.founder.ask()
    async with saga.stage.performed():
        await saga.stage.pass_on()
        await saga.skipping.sleep(timedelta(minutes=1))
        assert await saga.founder.cancel(asked) == "running"
        await saga.stage.pass_on()
        result = await saga.ended(asked)
    state = await saga.founder.state(asked)
    assert result is not None
    assert result["status"] == "cancelled"
    assert (state.status, state.active, state.records, state.granted) == ("cancelled", False, 0, 0)
    assert not state.holds_subdomain
    assert state.facts[-5:] == [
        "organization.bootstrap.compensating",
        "organization.dns.removed",
        "organization.permissions.revoked",
        "organization.deactivated",
        "organization.bootstrap.cancelled",
    ]
