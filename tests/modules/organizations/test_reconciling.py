"""What should not be there is found and removed, a stranger's stays, and who does not answer is named."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta

import pytest

from tests.modules.organizations.dns.servers.cloudflare import Cloudflare, Fault
from tests.modules.organizations.process.lives import MINUTE, Stuck
from tests.modules.organizations.zones import add, everything, found, records
from tests.support.founding import BASE, TENANT, Founder, Saga
from tests.support.pipeline import Owner
from tests.support.stepping import Stepper
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.modules.organizations.findings import What
from tidings.modules.organizations.model import Undo, mark_of
from tidings.modules.organizations.requests import RECONCILE
from tidings.testing import adrain_outbox


async def test_where_all_is_well_nothing_is_found_or_written(
    stepper: Stepper, provider: Cloudflare, pool: db.Pool
) -> None:
    await stepper.taken_on()
    await stepper.given_up("south")
    await stepper.founder.ask("waiting")
    before, asked = await everything(pool), len(provider.ledger)
    assert await stepper.reconcile() == []
    assert await everything(pool) == before
    assert {each.method for each in provider.ledger[asked:]} == {"GET"}


@pytest.mark.parametrize(
    ("undo", "what"),
    [
        (Undo.REVOKE_INVITATIONS, What.INVITATION_LEFT),
        (Undo.REVOKE_PERMISSIONS, What.PERMISSION_LEFT),
        (Undo.REMOVE_DNS, What.DNS_LEFT),
    ],
)
async def test_a_step_that_was_not_taken_back_is(
    stepper: Stepper, provider: Cloudflare, undo: Undo, what: What
) -> None:
    """As of a process whose undo was lost."""
    asked = await stepper.forward(await stepper.founder.ask(), "complete")
    about = TENANT, asked
    await stepper.undoing.begin(*about, "failed", "complete", "why not")
    for each in Undo:
        if each is not undo:
            await stepper.undoing.undo(each, *about)
    await stepper.undoing.finish(*about, "failed", "complete", "why not")
    assert found(await stepper.look()) == [(what, asked, False)]
    assert found(await stepper.reconcile()) == [(what, asked, True)]
    state = await stepper.founder.state(asked)
    assert (state.granted, state.records, state.invitations) == (0, 0, {"revoked": 2})
    assert await stepper.reconcile() == []


async def test_what_is_on_record_as_not_undone_is_tried_again(pool: db.Pool) -> None:
    """Also where the intent that was to do so has given up."""
    provider = Stuck()
    stepper = Stepper(Founder(pool, provider))
    asked = await stepper.forward(await stepper.founder.ask(), "complete")
    about = TENANT, asked
    await stepper.undoing.begin(*about, "failed", "complete", "why not")
    await stepper.undoing.failed(Undo.REMOVE_DNS, *about, "the provider is stuck")
    for each in (Undo.REVOKE_INVITATIONS, Undo.REVOKE_PERMISSIONS, Undo.DEACTIVATE):
        await stepper.undoing.undo(each, *about)
    await stepper.undoing.finish(*about, "failed", "complete", "why not")
    zone = await provider.zone(BASE)
    provider.stuck = False
    for record in await provider.records(zone):  # by hand, at the provider
        await provider.delete(zone, record.id)
    assert (await stepper.founder.state(asked)).holds_subdomain
    assert found(await stepper.look()) == [(What.UNDO_LEFT, asked, False)]
    assert found(await stepper.reconcile()) == [(What.UNDO_LEFT, asked, True)]
    state = await stepper.founder.state(asked)
    assert (state.left_over, state.holds_subdomain, state.facts[-1]) == ((), False, "organization.undo.done")


async def test_a_provider_that_is_away_keeps_nothing_else_from_being_mended(
    stepper: Stepper, provider: Cloudflare, owner: Owner
) -> None:
    taken_on = await stepper.taken_on()
    await owner.execute("UPDATE tidings.organizations_projection SET active = false")
    provider.faults.append(Fault(ends="resets", times=10))
    assert found(await stepper.reconcile()) == [
        (What.PROJECTION_DIFFERS, taken_on, True),
        (What.NOT_ASKED, None, False),
    ]


async def test_what_cannot_be_removed_now_is_told_and_the_rest_is(stepper: Stepper, provider: Cloudflare) -> None:
    ids = [await stepper.given_up(name) for name in ("north", "south")]
    for name, id in zip(("north", "south"), ids, strict=True):  # noqa: A001
        add(provider, f"{name}.{BASE}", comment=mark_of(id))
    provider.faults.append(Fault(method="DELETE", message="Not now."))
    told = {each.organization_id: each for each in await stepper.reconcile()}
    assert [told[each].mended for each in ids] == [False, True]
    assert "Not now." in told[ids[0]].detail
    assert found(await stepper.reconcile()) == [(What.DNS_LEFT, ids[0], True)]
    assert records(provider) == []


async def test_while_temporal_is_away_no_bootstrap_is_touched(
    stepper: Stepper, provider: Cloudflare, owner: Owner
) -> None:
    asked = await stepper.forward(await stepper.founder.ask(), "complete")
    await owner.execute("UPDATE tidings.processes SET started_at = now()")
    before = await everything(stepper.founder.pool)
    assert found(await stepper.reconcile()) == [(What.NOT_ASKED, asked, False)]
    assert (await everything(stepper.founder.pool), len(records(provider))) == (before, 1)


async def test_what_was_not_started_yet_waits(saga: Saga) -> None:
    """Whoever starts it will; Temporal, which does not know it, is not asked."""
    asked = await saga.founder.ask()
    assert await saga.reconcile() == []
    assert (await saga.founder.organization(asked)).status == "initiated"


async def test_a_process_that_was_terminated_is_told_first_and_then_undone(saga: Saga) -> None:
    asked = await saga.founder.ask()
    async with saga.performed():
        await saga.stage.pass_on()
        await saga.skipping.sleep(MINUTE)
        await saga.comes_to(asked, "organization.dns.configured")
        assert await saga.reconcile() == []  # it waits, and that is as it should be
        await (await saga.handle(asked)).terminate()
    before = asdict(await saga.founder.state(asked))
    (told,) = await saga.reconcile(mends=False)
    assert (told.what, told.detail) == (What.PROCESS_ENDED, "it is running, and its process was terminated")
    assert asdict(await saga.founder.state(asked)) == before
    assert found(await saga.reconcile()) == [(What.PROCESS_ENDED, asked, True)]
    state = await saga.founder.state(asked)
    assert (state.status, state.error, state.records, state.granted) == ("failed", "the process was terminated", 0, 0)
    assert (state.active, state.holds_subdomain) == (False, False)
    assert await saga.reconcile() == []


async def test_it_looks_by_itself_again_and_again(stepper: Stepper, provider: Cloudflare, settings: Settings) -> None:
    """From the first request of the tenant on; also while the provider is away."""
    given_up = await stepper.given_up()
    add(provider, comment=mark_of(given_up))
    looks = "SELECT count(*), min(run_at - now()) FROM tidings.outbox WHERE kind = $1 AND status = 'pending'"
    provider.faults.append(Fault(ends="resets", path="/zones", times=1))
    hour = timedelta(hours=1)
    for left in (1, 0, 0):
        assert await adrain_outbox(settings, stepper.reconciler.kind(), ahead=hour) == {"again": 1}
        assert len(records(provider)) == left
        waits = await stepper.founder.pool.fetchrow(looks, RECONCILE)
        assert waits is not None
        assert (waits[0], timedelta(minutes=10) < waits[1] <= timedelta(minutes=15)) == (1, True)
