"""One of the four listeners stands still in the middle of what it does: the other three do not wait for it, and when it
goes on it does its part, once."""

from __future__ import annotations

import asyncpg

from tests.broker.stage import until, working
from tests.support.dining import Table
from tests.support.pipeline import Owner, until_waiting
from tests.support.transports import Work

LOCK = 770_004
# Whoever says what the agency is told stands here for as long as somebody holds the lock.
HALT = f"""
CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared({LOCK});
    RETURN NULL;
END $$;
CREATE TRIGGER halt AFTER INSERT ON tidings.notices
    FOR EACH ROW WHEN (NEW.listener = 'reservations.agency') EXECUTE FUNCTION halt();
"""
HEARD = "SELECT listener FROM tidings.processed_by WHERE listener LIKE 'reservations.%' ORDER BY 1"
OTHERS = ["reservations.admin", "reservations.customer", "reservations.restaurant"]


async def test_the_others_have_told_everybody_by_then_and_it_tells_once(
    work: Work, table: Table, owner: Owner, database_url: str
) -> None:
    await owner.execute(HALT)
    holder = await asyncpg.connect(database_url)
    await holder.execute(f"SELECT pg_advisory_lock({LOCK})")
    async with working(owner, work.worker):
        await table.request(agency_id=table.agency)
        await until(lambda: others_are_told(table))
        await until_waiting(owner, 1)
        assert [row["listener"] for row in await owner.fetch(HEARD)] == OTHERS
        assert await table.told(table.agent) == []
        await holder.close()
        await until(lambda: everything_is_sent(owner))
    assert [row["listener"] for row in await owner.fetch(HEARD)] == sorted([*OTHERS, "reservations.agency"])
    (told,) = await table.told(table.agent)
    assert set(told["channels"].values()) == {"sent"}
    intents = "SELECT kind, status, attempts FROM tidings.outbox_finished WHERE kind LIKE 'notice.listener.reserv%'"
    assert {(row["status"], row["attempts"]) for row in await owner.fetch(intents)} == {("succeeded", 1)}


async def others_are_told(table: Table) -> bool:
    """Over all of their channels."""
    people = (table.admin, table.customer, table.manager)
    states = [status for person in people for copy in await table.told(person) for status in copy["channels"].values()]
    return len(states) == 3 + 3 + 4 and set(states) == {"sent"}


async def everything_is_sent(owner: Owner) -> bool:
    """And so every listener has done its part."""
    return not await owner.fetchval(
        """SELECT (SELECT count(*) FROM tidings.deliveries)
               + (SELECT count(*) FROM tidings.outbox WHERE kind LIKE 'notice.listener.%')"""
    )
