"""What a person does to a delivery: once, whoever else is at it, and counted right."""

from __future__ import annotations

import asyncio
from uuid import UUID, uuid4

import pytest

from tests.delivery.post_office import NO_ANSWER, TENANT, Mailer, PostOffice
from tests.outbox.engines import eventually
from tidings.kit import db
from tidings.kit.errors import Conflict, NotFound
from tidings.spine.delivery.administration import DeliveryAdministration, RetryFilter
from tidings.spine.delivery.records import DeliveryRecord, Records, Status


async def settled(office: PostOffice, notice: UUID) -> None:
    async def done() -> bool:
        return bool(await office.owner.fetchval("SELECT settled_at FROM tidings.tallies WHERE notice_id = $1", notice))

    await eventually(done)


async def facts(office: PostOffice) -> int:
    count: int = await office.owner.fetchval("SELECT count(*) FROM tidings.facts WHERE type = 'notice.settled'")
    return count


async def held(office: PostOffice, mailer: Mailer) -> tuple[UUID, UUID]:
    """A notice, and its one delivery that may have been sent."""
    await office.provider(mailer.config, on_unknown="hold")
    await office.people(1)
    notice = await office.notice()
    delivery = await office.delivery_of(notice)
    await office.owner.execute(
        "UPDATE tidings.deliveries SET status = 'held', attempts = 1, last_error = 'no answer' WHERE id = $1", delivery
    )
    return notice, delivery


async def record(office: PostOffice, delivery: UUID) -> DeliveryRecord:
    return await Records(office.owner, TENANT).get(delivery)


async def test_what_failed_is_sent_again_under_the_same_key_and_settles_once(office: PostOffice, first: Mailer) -> None:
    first.answer = lambda key: 422
    await office.provider(first.config)
    await office.people(1)
    notice = await office.notice()
    delivery = await office.delivery_of(notice)
    administration = DeliveryAdministration(office.owner, TENANT)
    async with office.worker():
        await settled(office, notice)
        assert (await record(office, delivery)).status is Status.FAILED
        assert await office.tally(notice) == {"failed": 1}
        first.answer = lambda key: 200
        await administration.retry(delivery)

        async def sent() -> bool:
            return (await record(office, delivery)).status is Status.SENT

        await eventually(sent)
    assert await office.tally(notice) == {"sent": 1}
    assert first.keys == [str(delivery)] * 2
    assert await office.outcomes(delivery) == ["rejected", "sent"]
    assert await facts(office) == 1


async def test_a_retry_gives_back_all_attempts_and_all_time(office: PostOffice, first: Mailer) -> None:
    _, delivery = await held(office, first)
    await office.owner.execute(
        """UPDATE tidings.deliveries SET due_at = now() - interval '25 hours', expires_at = now() - interval '1 hour'"""
    )
    again = await DeliveryAdministration(office.owner, TENANT).retry(delivery)
    assert (again.status, again.attempts) == (Status.PENDING, 0)
    assert await office.owner.fetchval("SELECT expires_at - now() > interval '23 hours' FROM tidings.deliveries")


async def test_of_ten_that_retry_at_once_one_revives_it_and_it_counts_once(
    office: PostOffice, pool: db.Pool, first: Mailer
) -> None:
    notice, delivery = await held(office, first)
    await DeliveryAdministration(office.owner, TENANT).settle(delivery, "failed", "it never came", "somebody")
    assert await office.tally(notice) == {"failed": 1}

    async def retry() -> None:
        async with pool.acquire() as connection, connection.transaction():
            await DeliveryAdministration(connection, TENANT).retry(delivery)

    await asyncio.gather(*(retry() for _ in range(10)))
    assert await office.tally(notice) == await office.counted(notice) == {"open": 1}


@pytest.mark.parametrize("final", ["sent", "failed"])
async def test_what_is_unknown_is_settled_as_a_person_says(office: PostOffice, first: Mailer, final: str) -> None:
    notice, delivery = await held(office, first)
    administration = DeliveryAdministration(office.owner, TENANT)
    assert (await record(office, delivery)).status is Status.UNKNOWN
    done = await administration.settle(delivery, "sent" if final == "sent" else "failed", "she has it", "somebody")
    assert done.status == final
    assert await office.tally(notice) == {final: 1}
    (attempt,) = await Records(office.owner, TENANT).attempts(delivery)
    assert attempt.reason == "settled by somebody: she has it"
    assert await facts(office) == 1
    with pytest.raises(Conflict):
        await administration.settle(delivery, "failed", "no, she has not", "somebody")


async def test_what_was_sent_is_not_sent_again_and_what_is_being_sent_is_left_alone(
    office: PostOffice, first: Mailer
) -> None:
    _, delivery = await held(office, first)
    administration = DeliveryAdministration(office.owner, TENANT)
    await office.owner.execute("UPDATE tidings.deliveries SET status = 'processing', lease_token = $1", uuid4())
    with pytest.raises(Conflict, match="being sent just now"):
        await administration.retry(delivery)
    await office.owner.execute("UPDATE tidings.deliveries SET status = 'held', lease_token = NULL")
    await administration.settle(delivery, "sent", "she has it", "somebody")
    with pytest.raises(Conflict, match="is sent"):
        await administration.retry(delivery)
    with pytest.raises(NotFound):
        await DeliveryAdministration(office.owner, "elsewhere").retry(delivery)


async def test_failed_deliveries_are_retried_in_bulk_by_what_they_have_in_common(
    office: PostOffice, first: Mailer
) -> None:
    provider = await office.provider(first.config)
    await office.people(30)
    notice = await office.notice()
    await office.owner.execute(
        """WITH gone AS (DELETE FROM tidings.deliveries RETURNING *)
           INSERT INTO tidings.deliveries_finished (id, tenant, channel, provider, notice_id, notification_id,
               person_id, address_id, address, due_at, run_at, expires_at, status, attempts, crashes, last_error,
               generation, created_at, updated_at)
           SELECT id, tenant, channel, provider, notice_id, notification_id, person_id, address_id, address, due_at,
               run_at, expires_at, 'failed', 5, 0, CASE WHEN row_number() OVER () <= 10 THEN 'quota 100%' ELSE 'no' END,
               generation, created_at, now() FROM gone"""
    )
    await office.owner.execute("UPDATE tidings.tallies SET open = 0, failed = 30")
    administration = DeliveryAdministration(office.owner, TENANT)
    assert await administration.retry_many(RetryFilter(channel="sms")) == (0, False)
    assert await administration.retry_many(RetryFilter(error="100%")) == (10, False)
    assert await office.tally(notice) == await office.counted(notice) == {"open": 10, "failed": 20}
    assert await DeliveryAdministration(office.owner, "elsewhere").retry_many(RetryFilter()) == (0, False)
    assert await administration.retry_many(RetryFilter(provider=provider.id)) == (20, False)
    assert await office.tally(notice) == {"open": 30}


async def test_what_had_no_provider_goes_through_the_one_that_is_there_now(office: PostOffice, first: Mailer) -> None:
    await office.people(1)
    notice = await office.notice()
    async with office.worker():
        await settled(office, notice)
        delivery = await office.delivery_of(notice)
        assert (await record(office, delivery)).last_error == "no provider is set for email"
        provider = await office.provider(first.config)
        await DeliveryAdministration(office.owner, TENANT).retry(delivery)

        async def sent() -> bool:
            return (await record(office, delivery)).status is Status.SENT

        await eventually(sent)
    assert (await record(office, delivery)).provider == provider.id


async def test_what_may_have_been_sent_is_held_also_with_its_last_attempt(office: PostOffice, first: Mailer) -> None:
    first.answer = lambda key: NO_ANSWER
    await office.provider(first.config, on_unknown="hold", max_attempts=1)
    await office.people(1)
    notice = await office.notice()
    delivery = await office.delivery_of(notice)
    async with office.worker():

        async def known() -> bool:
            return await office.outcomes(delivery) == ["unknown"]

        await eventually(known)
    assert (await record(office, delivery)).status is Status.UNKNOWN
    assert await office.tally(notice) == {"open": 1}
