"""What was not sent in time has failed, once and counted; what is old goes, and nothing that is still of use."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest

from tests.delivery.post_office import TENANT, Mailer, PostOffice
from tests.outbox.engines import Owner
from tidings.spine.delivery.administration import DeliveryAdministration
from tidings.spine.delivery.expiring import expire_deliveries, remove_old_notices
from tidings.spine.delivery.notice_records import Notices
from tidings.spine.delivery.providers import Provider
from tidings.testing import adrain_outbox
from tidings.worker.maintenance import begin_maintenance, maintenance

pytestmark = pytest.mark.usefixtures("any_postgres")
MONTH = timedelta(days=30)
LATE = "UPDATE tidings.deliveries SET due_at = now() - interval '25 hours', expires_at = now() - interval '1 hour'"


async def waiting(office: PostOffice, mailer: Mailer, count: int = 3) -> tuple[Provider, UUID]:
    """A provider whose circuit is open, and a notice that waits behind it."""
    provider = await office.provider(mailer.config)
    await office.people(count)
    notice = await office.notice()
    await office.owner.execute(
        "UPDATE tidings.providers SET opened_at = now(), open_until = now() + interval '1 hour', failures = 5"
    )
    return provider, notice


async def test_what_waits_behind_an_open_circuit_fails_when_its_time_is_over(office: PostOffice, first: Mailer) -> None:
    _, notice = await waiting(office, first)
    assert not await expire_deliveries(office.owner)
    assert await office.tally(notice) == {"open": 3}
    await office.owner.execute(LATE + ", last_error = 'answered 503'")
    await expire_deliveries(office.owner)
    assert await office.tally(notice) == await office.counted(notice) == {"failed": 3}
    error = "not sent within 1 day; the last attempt: answered 503"
    assert await office.owner.fetchval("SELECT DISTINCT last_error FROM tidings.deliveries_finished") == error
    assert await office.outcomes(await office.delivery_of(notice)) == ["expired"]
    assert await office.owner.fetchval("SELECT count(*) FROM tidings.facts WHERE type = 'notice.settled'") == 1


async def test_so_does_what_is_held_and_what_waits_for_a_provider_that_is_turned_off(
    office: PostOffice, first: Mailer
) -> None:
    provider = await office.provider(first.config)
    await office.people(2)
    notice = await office.notice()
    await office.owner.execute(LATE)
    await expire_deliveries(office.owner)
    assert await office.tally(notice) == {"open": 2}  # what can be leased is judged when it is
    held = await office.delivery_of(notice)
    await office.owner.execute("UPDATE tidings.deliveries SET status = 'held' WHERE id = $1", held)
    await expire_deliveries(office.owner)
    assert await office.tally(notice) == {"open": 1, "failed": 1}
    await office.providers().change(provider.id, {"enabled": False}, None, None)
    await expire_deliveries(office.owner)
    assert await office.tally(notice) == await office.counted(notice) == {"failed": 2}


async def test_a_suspended_tenants_deliveries_wait_until_it_is_resumed(office: PostOffice, first: Mailer) -> None:
    _, notice = await waiting(office, first)
    await office.owner.execute(LATE)
    await office.owner.execute("UPDATE tidings.tenants SET suspended_at = now()")
    await expire_deliveries(office.owner)
    assert await office.tally(notice) == {"open": 3}


async def test_of_a_notice_that_was_closed_it_is_skipped(office: PostOffice, first: Mailer) -> None:
    _, notice = await waiting(office, first)
    await Notices(office.owner, TENANT).close(notice, "handled")
    await office.owner.execute(LATE)
    await expire_deliveries(office.owner)
    assert await office.tally(notice) == {"skipped": 3}


async def aged(owner: Owner, by: timedelta) -> None:
    """Everything as if it had happened so long ago."""
    for table, columns in {
        "deliveries_finished": ("finished_at",),
        "delivery_attempts": ("ended_at",),
        "tallies": ("settled_at",),
        "sandbox_messages": ("created_at",),
    }.items():
        for column in columns:
            await owner.execute(f"UPDATE tidings.{table} SET {column} = {column} - $1::interval", by)


async def left(owner: Owner) -> dict[str, int]:
    tables = ("deliveries", "deliveries_finished", "delivery_attempts", "notifications", "notices", "tallies")
    counts = {table: await owner.fetchval(f"SELECT count(*) FROM tidings.{table}") for table in tables}
    return {table: count for table, count in counts.items() if count}


async def test_what_is_older_than_the_retention_is_removed_and_no_more(office: PostOffice, first: Mailer) -> None:
    _, notice = await waiting(office, first)
    await office.owner.execute(LATE)
    await expire_deliveries(office.owner)
    await office.owner.execute(
        "INSERT INTO tidings.sandbox_messages VALUES (gen_random_uuid(), $1, 'email', '')", TENANT
    )
    await begin_maintenance(office.pool)
    await adrain_outbox(office.settings, maintenance(office.settings))
    assert (await left(office.owner))["notifications"] == 3
    await aged(office.owner, MONTH + timedelta(hours=1))
    young = (await left(office.owner))["notices"]
    past = office.settings.delivery.model_copy(update={"retention": timedelta(microseconds=1)})
    settings = office.settings.model_copy(update={"delivery": past})
    await adrain_outbox(settings, maintenance(settings), ahead=timedelta(minutes=2))
    assert (young, await left(office.owner)) == (1, {})
    assert await office.owner.fetchval("SELECT count(*) FROM tidings.sandbox_messages") == 0
    assert notice


async def test_a_notice_of_which_something_still_waits_is_kept(office: PostOffice, first: Mailer) -> None:
    _, notice = await waiting(office, first)
    await office.owner.execute(LATE)
    await expire_deliveries(office.owner)
    await DeliveryAdministration(office.owner, TENANT).retry(await office.delivery_of(notice))
    await aged(office.owner, MONTH * 2)
    await office.owner.execute("DELETE FROM tidings.deliveries_finished")
    await remove_old_notices(office.owner, timedelta(microseconds=1))
    kept = await left(office.owner)
    assert (kept["deliveries"], kept["notifications"], kept["notices"], kept["tallies"]) == (1, 1, 1, 1)


async def test_what_is_late_uses_up_nothing_of_a_rate(office: PostOffice, first: Mailer) -> None:
    """Judged one by one within the rate, a queue that is late would make everything behind it late."""
    await office.provider(first.config, rate=1, rate_period=timedelta(hours=1))
    await office.people(3)
    late = await office.notice()
    await office.owner.execute(LATE)
    fresh = await office.notice()
    await expire_deliveries(office.owner)
    assert (await office.tally(late), await office.tally(fresh)) == ({"failed": 3}, {"open": 3})


async def test_the_history_of_what_is_not_over_stays_however_old_it_is(office: PostOffice, first: Mailer) -> None:
    """It says where it may have been sent already."""
    await waiting(office, first, 1)
    (open_one,) = [row["id"] for row in await office.owner.fetch("SELECT id FROM tidings.deliveries")]
    await office.owner.execute(
        """INSERT INTO tidings.delivery_attempts (delivery_id, tenant, provider, outcome, ended_at)
           SELECT id, tenant, provider, 'unknown', now() - interval '1 year' FROM tidings.deliveries"""
    )
    await begin_maintenance(office.pool)
    await adrain_outbox(office.settings, maintenance(office.settings))
    assert await office.outcomes(open_one) == ["unknown"]
