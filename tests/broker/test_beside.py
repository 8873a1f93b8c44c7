"""Workers with a broker and workers without one, together and one after the other; fairness between tenants."""

from __future__ import annotations

from datetime import timedelta

from tests.broker.listening import NAMES, runs
from tests.broker.stage import (
    Owner,
    emit,
    heard,
    is_enqueued,
    nothing_open,
    open_rows,
    publishing_alone,
    sent,
    until,
    with_broker,
    working,
    working_settings,
)
from tests.outbox.engines import add_tenants
from tests.support.pipeline import add_person, add_provider
from tidings.kit.settings import Settings
from tidings.spine.outbox.administration import Administration

SHORT = timedelta(milliseconds=300)


async def test_a_worker_without_a_broker_takes_over_what_was_marked_for_it(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    await add_person(owner, push="token")
    marking = with_broker(settings, broker_url, patience=SHORT)
    async with working(owner, marking):
        await emit(owner, 1)
        await until(lambda: nothing_open(owner))
    async with publishing_alone(marking):
        await emit(owner, 10)
        await until(lambda: is_enqueued(owner, 20))
    async with working(owner, working_settings(settings)):
        await until(lambda: only_the_stream_is_open(owner))
    assert (await heard(owner), await sent(owner)) == (dict.fromkeys(NAMES, 11), 22)


async def test_it_does_not_take_what_the_broker_still_has_time_to_tell(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    marking = with_broker(settings, broker_url)
    async with working(owner, marking):
        await emit(owner, 1)
        await until(lambda: nothing_open(owner))
    async with publishing_alone(marking):
        await emit(owner, 10)
        await until(lambda: is_enqueued(owner, 20))
    async with working(owner, working_settings(settings)):
        await owner.execute("SELECT tidings.emit('order.paid', '{}')")
        await owner.execute("UPDATE tidings.outbox SET run_at = now() WHERE kind = $1", f"notice.listener.{NAMES[0]}")
        await until(lambda: is_enqueued(owner, 10, published=False))
    assert await heard(owner) == {NAMES[0]: 11, NAMES[1]: 1}


async def test_what_was_put_off_meanwhile_is_not_done_when_its_message_comes(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    marking = with_broker(settings, broker_url)
    async with working(owner, marking):
        await emit(owner, 1)
        await until(lambda: nothing_open(owner))
    async with publishing_alone(marking):
        await emit(owner, 2)
        await until(lambda: is_enqueued(owner, 4))
    put_off = await owner.fetchval("SELECT id FROM tidings.outbox WHERE status = 'enqueued' ORDER BY id LIMIT 1")
    later = await owner.fetchval("SELECT now() + interval '1 hour'")
    moved = await Administration(owner, "default").reschedule(put_off, later)
    assert (moved.status, moved.run_at) == ("pending", later)
    async with working(owner, marking):
        await until(lambda: is_enqueued(owner, 0))
    assert await owner.fetchval("SELECT run_at FROM tidings.outbox WHERE id = $1", put_off) == later


async def test_both_kinds_of_workers_together_handle_everything_once(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    await add_person(owner, push="token")
    runs.clear()
    with_one, without = with_broker(settings, broker_url, patience=SHORT), working_settings(settings)
    async with working(owner, with_one, without, with_one):
        for _ in range(10):
            await emit(owner, 20)
        await until(lambda: nothing_open(owner))
    assert set(runs.values()) == {1}
    assert (await heard(owner), await sent(owner)) == (dict.fromkeys(NAMES, 200), 400)


async def test_a_provider_with_limits_is_kept_busy_and_not_asked_for_more(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    """Messages come all at once; what the limits do not let through then, its lane does."""
    await add_person(owner, push="token")
    await add_provider(owner, settings, "push", "sandbox", concurrency=1)
    async with working(owner, with_broker(settings, broker_url)):
        await emit(owner, 15)
        await until(lambda: nothing_open(owner))
    assert await sent(owner) == 30


async def test_what_one_tenant_has_much_of_does_not_hold_up_another(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    """The queue is first come first served; the lanes are not, and what there is no room for goes back to them."""
    await add_tenants(owner, ["busy", "quiet"])
    for tenant in ("busy", "quiet"):
        await add_person(owner, tenant=tenant, push="token")
    async with working(owner, with_broker(settings, broker_url)):
        await emit(owner, 2_000, "parcel.lost", "busy")
        await emit(owner, 1, "parcel.lost", "quiet")
        await until(lambda: is_told(owner, "quiet"))
        left = await owner.fetchval(
            "SELECT count(*) FROM tidings.outbox WHERE tenant = 'busy' AND kind LIKE 'notice.l%'"
        )
        assert left > 200
        await until(lambda: nothing_open(owner))
    assert await sent(owner) == 2_001


async def is_told(owner: Owner, tenant: str) -> bool:
    told: int = await owner.fetchval("SELECT count(*) FROM tidings.sandbox_messages WHERE tenant = $1", tenant)
    return told > 0


async def only_the_stream_is_open(owner: Owner) -> bool:
    return set(await open_rows(owner)) <= {"broker.publish"}


async def test_what_comes_out_even_leaves_nobody_waiting(settings: Settings, owner: Owner, broker_url: str) -> None:
    """As many deliveries are due as go out in a round: the next finds none, and two workers find each other's."""
    await owner.execute(
        """WITH p AS (INSERT INTO tidings.people (tenant, name)
                      SELECT 'default', 'Somebody' FROM generate_series(1, 500) RETURNING id)
           INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
           SELECT 'default', id, 'push', id::text, id::text FROM p"""
    )
    with_it = with_broker(settings, broker_url)
    async with working(owner, with_it), working(owner, with_it):
        for _ in range(3):
            await emit(owner, 1)  # two listeners: a thousand
            await until(lambda: nothing_open(owner))
    assert await sent(owner) == 3_000
