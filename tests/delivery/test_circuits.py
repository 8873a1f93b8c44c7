"""A provider that keeps failing holds up nobody: its circuit opens, what waits goes to the next, and it is tried."""

from __future__ import annotations

from uuid import UUID

from tests.delivery.post_office import TENANT, Mailer, PostOffice
from tests.outbox.engines import eventually
from tidings.spine.delivery.expiring import fail_over_what_stands_still
from tidings.spine.delivery.failing_over import kinds
from tidings.spine.delivery.providers import Provider
from tidings.spine.delivery.records import DeliveryFilter, Records
from tidings.testing import adrain_outbox


async def until_open(office: PostOffice, provider: Provider) -> None:
    async def opened() -> bool:
        return await office.circuit(provider) == "open"

    await eventually(opened)


async def until_sent(office: PostOffice, notice: UUID, count: int) -> None:
    async def done() -> bool:
        return (await office.tally(notice)).get("sent") == count

    await eventually(done)


async def through(office: PostOffice) -> dict[UUID, int]:
    """How many deliveries there are by provider, open and finished."""
    page = await Records(office.owner, TENANT).list(DeliveryFilter(), None, 1000)
    ids = [record.provider for record in page.items]
    return {provider: ids.count(provider) for provider in ids}


async def test_behind_an_open_circuit_deliveries_wait_and_burn_no_attempts(office: PostOffice, first: Mailer) -> None:
    first.answer = lambda key: 503
    provider = await office.provider(first.config, concurrency=1)
    await office.people(20)
    notice = await office.notice()
    async with office.worker():
        await until_open(office, provider)
    tried = len(first.keys)
    assert tried <= 4
    assert await office.owner.fetchval("SELECT sum(attempts) FROM tidings.deliveries") == tried
    assert await office.tally(notice) == await office.counted(notice) == {"open": 20}
    async with office.worker():
        pass
    assert len(first.keys) == tried


async def test_a_circuit_is_tried_with_one_and_closes_when_that_works(office: PostOffice, first: Mailer) -> None:
    first.answer = lambda key: 503
    provider = await office.provider(first.config)
    await office.people(20)
    notice = await office.notice()
    async with office.worker():
        await until_open(office, provider)
    before = len(first.keys)
    await office.let_circuits_be_tried()
    async with office.worker():
        await until_open(office, provider)
    assert len(first.keys) == before + 1
    first.answer, first.delay = (lambda key: 200), 0.05
    await office.owner.execute("UPDATE tidings.deliveries SET run_at = now(), attempts = 0")
    await office.let_circuits_be_tried()
    assert await office.circuit(provider) == "trying"
    async with office.worker():
        await until_sent(office, notice, 20)
    assert await office.circuit(provider) == "closed"


async def test_a_second_provider_takes_over_what_waits(office: PostOffice, first: Mailer, second: Mailer) -> None:
    first.answer = lambda key: 503
    failing = await office.provider(first.config, priority=1)
    await office.people(40)
    notice = await office.notice()
    working = await office.provider(second.config, "second", priority=2)
    async with office.worker():
        await until_sent(office, notice, 40)
    assert await office.circuit(failing) == "open"
    assert await through(office) == {working.id: 40}
    assert len(set(second.keys)) == len(second.keys) == 40
    later = await office.notice()
    assert (
        await office.owner.fetchval("SELECT provider FROM tidings.deliveries WHERE notice_id = $1", later) == working.id
    )


async def test_what_may_have_been_sent_already_is_not_sent_through_another(
    office: PostOffice, first: Mailer, second: Mailer
) -> None:
    provider = await office.provider(first.config, priority=1)
    other = await office.provider(second.config, "second", priority=2)
    await office.people(2)
    await office.notice()
    unsure: UUID = await office.owner.fetchval(
        "UPDATE tidings.deliveries SET status = 'failed', attempts = 1 WHERE id = (SELECT min(id::text)::uuid "
        "FROM tidings.deliveries) RETURNING id"
    )
    await office.owner.execute(
        """INSERT INTO tidings.delivery_attempts (delivery_id, tenant, provider, outcome)
           VALUES ($1, $2, $3, 'unknown')""",
        unsure,
        TENANT,
        provider.id,
    )
    await office.owner.execute(
        "UPDATE tidings.providers SET opened_at = now(), open_until = now() + interval '1 hour' WHERE id = $1",
        provider.id,
    )
    assert await fail_over_what_stands_still(office.owner) == 1
    await adrain_outbox(office.settings, *kinds())
    assert await through(office) == {provider.id: 1, other.id: 1}
    assert await office.owner.fetchval("SELECT provider FROM tidings.deliveries WHERE id = $1", unsure) == provider.id


async def test_nothing_fails_over_to_what_only_keeps_or_refuses(office: PostOffice, first: Mailer) -> None:
    await office.people(3)
    await office.notice()
    await office.provider({}, "kept", "sandbox", priority=500)
    await office.owner.execute("DELETE FROM tidings.deliveries")
    provider = await office.provider(first.config, priority=1)
    await office.owner.execute(
        "UPDATE tidings.providers SET opened_at = now(), open_until = now() + interval '1 hour' WHERE id = $1",
        provider.id,
    )
    await office.notice()
    assert await fail_over_what_stands_still(office.owner) == 0
    await adrain_outbox(office.settings, *kinds())
    built_in = await office.owner.fetchval("SELECT id FROM tidings.providers WHERE built_in")
    assert built_in not in await through(office)


async def test_some_failures_among_many_that_work_do_not_open_it(office: PostOffice, first: Mailer) -> None:
    await office.people(60)
    provider = await office.provider(first.config)
    notice = await office.notice()
    unlucky = {
        str(row["id"]) for row in await office.owner.fetch("SELECT id FROM tidings.deliveries ORDER BY id LIMIT 10")
    }
    first.answer = lambda key: 503 if key in unlucky and first.keys.count(key) == 1 else 200
    async with office.worker():
        await until_sent(office, notice, 60)
    assert (await office.providers().get(provider.id)).circuit == "closed"


async def test_an_operator_closes_it_by_hand(office: PostOffice, first: Mailer) -> None:
    first.answer = lambda key: 503
    provider = await office.provider(first.config)
    await office.people(5)
    notice = await office.notice()
    async with office.worker():
        await until_open(office, provider)
        first.answer = lambda key: 200
        await office.owner.execute("UPDATE tidings.deliveries SET run_at = now() WHERE status IN ('pending', 'failed')")
        closed = await office.providers().close(provider.id)
        assert (closed.circuit, closed.failures) == ("closed", 0)
        await until_sent(office, notice, 5)
