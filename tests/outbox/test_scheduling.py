"""Intents scheduled, moved and cancelled by key, in the caller's transaction, on every kind of connection."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import psycopg
import pytest

import tidings
from tests.journal import opening
from tests.journal.djangos import django_transaction
from tidings import Forbidden, NewIntent, NotFound, TooLarge, ValidationFailed, WrongConnection

LATER = datetime.now(UTC) + timedelta(days=30)
DAY = timedelta(days=1)
CALLED = (opening.psycopg_connection, opening.alchemy_session, opening.alchemy_connection, django_transaction)
AWAITED = (opening.asyncpg_connection, opening.psycopg_async, opening.alchemy_async_session)


def _tell(connection: Any) -> None:
    """Of four reminders two are moved to a time, one by a day, and one is cancelled."""
    keys = ["event_1:ann", "event_1:bob", "event_2:ann", "event_3:ann"]
    ids = tidings.schedule_many(
        connection, [NewIntent("reminder.send", {"n": n}, k, LATER) for n, k in enumerate(keys)]
    )
    assert tidings.schedule(connection, "reminder.send", {"n": 9}, key="event_1:ann") == ids[0]
    assert tidings.move(connection, "reminder.send", prefix="event_1:", run_at=LATER - DAY) == 2
    assert tidings.move(connection, "reminder.send", key="event_2:ann", shift=DAY) == 1
    assert tidings.cancel(connection, "reminder.send", key="event_3:ann", reason="left") == 1
    assert tidings.cancel(connection, "reminder.send", prefix="event1") == 0


async def _atell(connection: Any) -> None:
    keys = ["event_1:ann", "event_1:bob", "event_2:ann", "event_3:ann"]
    intents = [NewIntent("reminder.send", {"n": n}, k, LATER) for n, k in enumerate(keys)]
    ids = await tidings.aschedule_many(connection, intents)
    assert await tidings.aschedule(connection, "reminder.send", {"n": 9}, key="event_1:ann") == ids[0]
    assert await tidings.amove(connection, "reminder.send", prefix="event_1:", run_at=LATER - DAY) == 2
    assert await tidings.amove(connection, "reminder.send", key="event_2:ann", shift=DAY) == 1
    assert await tidings.acancel(connection, "reminder.send", key="event_3:ann", reason="left") == 1
    assert await tidings.acancel(connection, "reminder.send", prefix="event1") == 0


async def _check(owner: asyncpg.Connection[asyncpg.Record]) -> None:
    rows = await owner.fetch("SELECT key, payload ->> 'n' AS n, run_at, due_at FROM tidings.outbox ORDER BY key")
    assert [tuple(row) for row in rows] == [
        ("event_1:ann", "0", LATER - DAY, LATER - DAY),
        ("event_1:bob", "1", LATER - DAY, LATER - DAY),
        ("event_2:ann", "2", LATER + DAY, LATER + DAY),
    ]
    finished = await owner.fetchrow("SELECT key, status, last_error FROM tidings.outbox_finished")
    assert tuple(finished or ()) == ("event_3:ann", "cancelled", "left")


@pytest.mark.parametrize("opened", CALLED)
async def test_on_connections_that_are_called(
    opened: Any, database_url: str, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    def tell() -> None:
        with opened(database_url) as connection:
            _tell(connection)

    await asyncio.to_thread(tell)
    await _check(owner)


@pytest.mark.parametrize("opened", AWAITED)
async def test_on_connections_that_are_awaited(
    opened: Any, database_url: str, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    async with opened(database_url) as connection:
        await _atell(connection)
    await _check(owner)


async def test_what_is_rolled_back_was_never_scheduled_moved_or_cancelled(
    owner: asyncpg.Connection[asyncpg.Record],
) -> None:
    await tidings.aschedule(owner, "reminder.send", key="k", run_at=LATER, own_transaction=True)
    transaction = owner.transaction()
    await transaction.start()
    await _atell(owner)
    await tidings.acancel(owner, "reminder.send", key="k")
    await transaction.rollback()
    assert await owner.fetchval("SELECT array_agg(key) FROM tidings.outbox") == ["k"]
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox_finished") == 0


def test_a_shift_of_a_day_is_24_hours_in_every_timezone(database_url: str) -> None:
    """In the night of the clocks' change, too."""
    eve = datetime(2027, 3, 27, 12, tzinfo=UTC)
    with psycopg.connect(database_url, options="-c timezone=Europe/Berlin") as connection:
        tidings.schedule(connection, "reminder.send", key="k", run_at=eve)
        tidings.move(connection, "reminder.send", key="k", shift=DAY)
        assert connection.execute("SELECT run_at FROM tidings.outbox").fetchone() == (eve + DAY,)


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        (lambda c: tidings.schedule(c, "Reminder"), ValidationFailed, "kind: must be lower-case words"),
        (lambda c: tidings.schedule(c, "event.remind"), Forbidden, "kind: is reserved"),
        (lambda c: tidings.schedule(c, "a.b", {"x": "y" * 300_000}), TooLarge, "payload: is 300009 bytes"),
        (lambda c: tidings.schedule(c, "a.b", tenant="nobody"), NotFound, "tenant: there is no such tenant"),
        (lambda c: tidings.schedule(c, "a.b", run_at=LATER + 3650 * DAY), ValidationFailed, "runAt: must be less"),
        (lambda c: tidings.move(c, "a.b", run_at=LATER), ValidationFailed, "key: give either a key or a prefix"),
        (lambda c: tidings.move(c, "a.b", key="k"), ValidationFailed, "runAt: give either a time or a shift"),
        (lambda c: tidings.move(c, "a.b", prefix="", run_at=LATER), ValidationFailed, "key: give either"),
        (lambda c: tidings.cancel(c, "a.b", key="k", prefix="p"), ValidationFailed, "key: give either"),
    ],
)
def test_bad_input_is_refused(database_url: str, request_: Any, error: type[Exception], message: str) -> None:
    with psycopg.connect(database_url) as connection, pytest.raises(error, match=message):
        request_(connection)


async def test_a_wrong_connection_is_refused_by_the_name_that_was_called(
    owner: asyncpg.Connection[asyncpg.Record],
) -> None:
    with pytest.raises(WrongConnection, match=r"^cancel: .* is asynchronous: `await tidings.acancel"):
        tidings.cancel(owner, "a.b", key="k")
    with pytest.raises(WrongConnection, match=r"^amove: no transaction is open"):
        await tidings.amove(owner, "a.b", key="k", shift=DAY)
