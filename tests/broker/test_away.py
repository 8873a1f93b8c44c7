"""A broker that is down, slow or full: nobody who emits notices, nothing is lost, and nothing is done twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from tests.broker.listening import NAMES, runs
from tests.broker.outside import bind, channel_to, depth, taken
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
)
from tests.broker.wire import Wire, wire_to
from tests.support.pipeline import add_person
from tests.support.rabbitmq import RabbitMQ
from tidings.kit.settings import Settings

SHORT = timedelta(milliseconds=300)


@pytest.fixture
async def wire(broker_url: str) -> AsyncIterator[tuple[Wire, str]]:
    async with wire_to(broker_url) as (wire, url):
        yield wire, url


async def test_what_is_emitted_while_it_is_away_waits_and_goes_on_when_it_comes(
    settings: Settings, owner: Owner, wire: tuple[Wire, str]
) -> None:
    await add_person(owner, push="token")
    way, url = wire
    way.cut()
    async with working(owner, with_broker(settings, url, deadline=SHORT)):
        await emit(owner, 10)
        await asyncio.sleep(1)  # many looks: a worker that did not wait would have done it all
        assert await open_rows(owner) == {"broker.publish": 10} | {f"notice.listener.{name}": 10 for name in NAMES}
        assert await attempts(owner) == {0}
        await way.open()
        await until(lambda: nothing_open(owner))
    assert await heard(owner) == dict.fromkeys(NAMES, 10)
    assert await sent(owner) == 20


async def test_by_setting_work_goes_on_without_it_and_only_the_stream_waits(
    settings: Settings, owner: Owner, wire: tuple[Wire, str]
) -> None:
    await add_person(owner, push="token")
    way, url = wire
    way.cut()
    async with working(owner, with_broker(settings, url, when_away="go_on", deadline=SHORT)):
        await emit(owner, 10)
        await until(lambda: only_the_stream_waits(owner))
        assert (await heard(owner), await sent(owner)) == (dict.fromkeys(NAMES, 10), 20)
        await way.open()
        await until(lambda: nothing_open(owner))
    assert (await heard(owner), await sent(owner)) == (dict.fromkeys(NAMES, 10), 20)


async def test_one_that_goes_silent_in_mid_stream_holds_up_nothing_else_and_what_was_marked_is_found(
    settings: Settings, owner: Owner, wire: tuple[Wire, str]
) -> None:
    """Nobody is told that it is gone: a deadline finds out. The worker's other work goes on meanwhile."""
    await add_person(owner, push="token")
    way, url = wire
    silent = with_broker(settings, url, when_away="go_on", deadline=SHORT, patience=SHORT)
    async with working(owner, silent):
        await emit(owner, 5)
        await until(lambda: nothing_open(owner))
        way.go_silent()
        await emit(owner, 5)
        await until(lambda: only_the_stream_waits(owner))
        assert await attempts(owner) == {0}
        way.passing.set()
        await until(lambda: nothing_open(owner))
    assert (await heard(owner), await sent(owner)) == (dict.fromkeys(NAMES, 10), 20)


async def test_one_without_memory_holds_up_nothing_else_and_takes_the_stream_when_it_has_some_again(
    settings: Settings, owner: Owner, node: RabbitMQ, broker_url: str
) -> None:
    """It lets us connect and consume, and reads nothing of what is published."""
    await add_person(owner, push="token")
    full = with_broker(settings, broker_url, when_away="go_on", deadline=SHORT, patience=SHORT)
    async with working(owner, full):
        with await asyncio.to_thread(node.begin_to_starve):
            await emit(owner, 5)
            await until(lambda: only_the_stream_waits(owner))
            assert await attempts(owner) == {0}
        await until(lambda: nothing_open(owner))
    assert (await heard(owner), await sent(owner)) == (dict.fromkeys(NAMES, 5), 10)


async def test_a_queue_of_somebody_elses_that_is_full_keeps_facts_waiting_and_nothing_else(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    await add_person(owner, push="token")
    with channel_to(broker_url) as channel:
        bind(channel, "narrow", "parcel.#", **{"x-max-length": 2, "x-overflow": "reject-publish"})
        async with working(owner, with_broker(settings, broker_url)):
            await emit(owner, 5)
            await until(lambda: only_the_stream_waits(owner))
            assert await attempts(owner) == {0}
            assert (await heard(owner), await sent(owner)) == (dict.fromkeys(NAMES, 5), 10)
            facts = set()
            while await open_rows(owner):
                facts |= {message.body["id"] for message in taken(channel, "narrow")}
                await owner.execute("UPDATE tidings.outbox SET run_at = now() WHERE kind = 'broker.publish'")
                await asyncio.sleep(0.1)
            facts |= {message.body["id"] for message in taken(channel, "narrow")}
    assert len(facts) == 5
    assert (await heard(owner), await sent(owner)) == (dict.fromkeys(NAMES, 5), 10)


async def test_what_a_lost_queue_held_is_found_when_the_patience_is_over(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    await add_person(owner, push="token")
    forgetful = with_broker(settings, broker_url, patience=SHORT)
    async with working(owner, forgetful):
        await emit(owner, 1)  # so that listeners and queues are known
        await until(lambda: nothing_open(owner))
    async with publishing_alone(forgetful):
        await emit(owner, 10)
        await until(lambda: is_enqueued(owner, 20))
    with channel_to(broker_url) as channel:
        for name in NAMES:
            assert depth(channel, f"tidings.listener.{name}") == 10
            channel.queue_delete(f"tidings.listener.{name}")
    async with working(owner, forgetful):
        await until(lambda: nothing_open(owner))
    assert (await heard(owner), await sent(owner)) == (dict.fromkeys(NAMES, 11), 22)


async def test_a_queue_that_is_deleted_under_a_worker_is_declared_again(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    await add_person(owner, push="token")
    async with working(owner, with_broker(settings, broker_url)):
        await emit(owner, 1)
        await until(lambda: nothing_open(owner))
        with channel_to(broker_url) as channel:
            for name in NAMES:
                channel.queue_delete(f"tidings.listener.{name}")
            channel.queue_delete("tidings.send.push")
        await emit(owner, 5)
        await until(lambda: nothing_open(owner))
    assert (await heard(owner), await sent(owner)) == (dict.fromkeys(NAMES, 6), 12)


@pytest.mark.parametrize("ends", ["killed", "stopped"])
async def test_rabbitmq_in_mid_stream_and_started_again(
    settings: Settings, owner: Owner, node: RabbitMQ, broker_url: str, ends: str
) -> None:
    """Every fact is handled, none twice."""
    await add_person(owner, push="token")
    runs.clear()
    async with working(owner, with_broker(settings, broker_url)):
        await emit(owner, 100)
        await until(lambda: some_are_sent(owner))
        await asyncio.to_thread(node.kill if ends == "killed" else node.stop)
        await emit(owner, 100)
        await asyncio.to_thread(node.start)
        await emit(owner, 100)
        await hurry_until_nothing_is_open(owner)
    assert set(runs.values()) == {1}
    assert (await heard(owner), await sent(owner)) == (dict.fromkeys(NAMES, 300), 600)


async def attempts(owner: Owner) -> set[int]:
    return {row["attempts"] for row in await owner.fetch("SELECT attempts FROM tidings.outbox WHERE fact_id <> id")}


async def only_the_stream_waits(owner: Owner) -> bool:
    return set(await open_rows(owner)) == {"broker.publish"}


async def some_are_sent(owner: Owner) -> bool:
    return await sent(owner) > 10


async def hurry_until_nothing_is_open(owner: Owner) -> None:
    """A broker that died may have forgotten what it had not confirmed: the patience of an hour is up now."""
    while not await nothing_open(owner):
        for table in ("outbox", "deliveries"):
            await owner.execute(f"UPDATE tidings.{table} SET run_at = now() WHERE status = 'enqueued'")
        await asyncio.sleep(0.2)
