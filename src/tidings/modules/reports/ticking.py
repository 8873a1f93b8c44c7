"""When a slot is due: its run, the intent to make it and the next slot, in the transaction that settles the tick."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from tidings.kit.db import Connection
from tidings.modules.reports.model import FINAL, MODULE, RUN, TICK, CatchUp, Status, Trigger
from tidings.modules.reports.schedules import timing_of
from tidings.modules.reports.slots import Slot
from tidings.modules.reports.timing import Timing
from tidings.spine.outbox.handlers import KeyPolicy, Kind, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Again, Each, GivenBack, Outcome, Succeeded

_AT_ONCE = 500
_BREATH = timedelta(milliseconds=200)
_UNTIL_DONE = timedelta(seconds=2)
LATE_AFTER = timedelta(minutes=10)
"""A slot that is taken up later than this was missed."""
MOST_CAUGHT_UP = 100
_FIRST_LOOK = timedelta(days=1)
_WIDER = 8

# Whoever changes a schedule holds it, and then waits for its intent: waiting for the schedule here would be a deadlock.
_HELD = """
SELECT s.*, now() AS now, EXISTS (
    SELECT FROM tidings.report_runs r WHERE r.schedule_id = s.id AND r.trigger = 'schedule' AND r.status <> ALL ($2)
) AS busy FROM tidings.report_schedules s WHERE s.id = ANY ($1::bigint[]) FOR UPDATE OF s SKIP LOCKED
"""
_THERE = "SELECT id FROM tidings.report_schedules WHERE id = ANY ($1::bigint[])"
_ADVANCE = """
UPDATE tidings.report_schedules s SET next_run_at = t.at, next_slot = t.slot
FROM unnest($1::bigint[], $2::timestamptz[], $3::timestamp[]) AS t(id, at, slot) WHERE s.id = t.id
"""
_RUNS = """
INSERT INTO tidings.report_runs (tenant, schedule_id, slot, due_at, late, trigger)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::timestamp[], $4::timestamptz[], $5::boolean[]), (SELECT $6) AS t
ON CONFLICT (schedule_id, slot) WHERE trigger = 'schedule' DO NOTHING RETURNING id, tenant
"""


@dataclass(frozen=True)
class Taken:
    """The slot that is to run, if any, and the one after it. `behind`: it was missed, or others after it were."""

    run: Slot | None
    late: bool
    behind: bool
    next: Slot | None


def take(timing: Timing, catch_up: CatchUp, due_at: datetime, now: datetime) -> Taken:
    """Pure: what becomes of what is due. Never more than one run: of many that were missed, the next is a next tick."""
    passed = _passed(timing, due_at, now, MOST_CAUGHT_UP if catch_up is CatchUp.ALL else 1)
    if not passed:  # the rules of the zone were changed since that time was found
        return Taken(None, False, False, timing.next_slot(now))
    slot = passed[0]
    late = now - slot.at > LATE_AFTER
    if len(passed) > 1:
        return Taken(slot, late, True, passed[1])
    return Taken(None if late and catch_up is CatchUp.SKIP else slot, late, late, timing.next_slot(now))


def _passed(timing: Timing, due_at: datetime, now: datetime, most: int) -> list[Slot]:
    """The newest slots since that time, oldest first. Those long ago are walked only where there are few."""
    wide = _FIRST_LOOK
    while True:
        since = max(due_at, now - wide) - timedelta(microseconds=1)
        found = list(takewhile(lambda slot: slot.at <= now, timing.slots(since)))
        if len(found) >= most or now - wide <= due_at:
            return found[-most:]
        wide *= _WIDER


def kinds() -> list[Kind]:
    return [Kind(TICK, tick, Shape.TRANSACTION, KeyPolicy.REARM, batch=_AT_ONCE)]


async def tick(connection: Connection, intents: Sequence[Intent]) -> Each:
    ids = [intent.data["scheduleId"] for intent in intents]
    held = {row["id"]: row for row in await connection.fetch(_HELD, ids, list(FINAL))}
    there = {row["id"] for row in await connection.fetch(_THERE, [each for each in ids if each not in held])}
    runs: list[tuple[Any, Slot, bool]] = []
    ahead: list[tuple[int, Slot | None]] = []
    outcomes: list[Outcome] = []
    for id, intent in zip(ids, intents, strict=True):  # noqa: A001
        if id in held:
            outcomes.append(_settled(held[id], intent, runs, ahead))
        else:
            outcomes.append(GivenBack(_BREATH) if id in there else Succeeded())
    await _record(connection, runs, ahead)
    return Each(outcomes)


def _settled(
    row: Any, intent: Intent, runs: list[tuple[Any, Slot, bool]], ahead: list[tuple[int, Slot | None]]
) -> Outcome:
    """What becomes of the intent; what is to be written of it is added to `runs` and `ahead`."""
    if row["status"] != Status.ACTIVE or row["next_run_at"] is None:
        return Succeeded()
    if row["next_run_at"] > row["now"]:
        return Again(row["next_run_at"])
    taken = take(timing_of(row), CatchUp(row["catch_up"]), row["next_run_at"], row["now"])
    if taken.behind and row["busy"]:
        return GivenBack(_UNTIL_DONE)  # several never go out at once
    if taken.run is not None:
        runs.append((row, taken.run, taken.late))
    ahead.append((row["id"], taken.next))
    return Succeeded() if taken.next is None else Again(taken.next.at)


async def _record(
    connection: Connection, runs: Sequence[tuple[Any, Slot, bool]], ahead: Sequence[tuple[int, Slot | None]]
) -> None:
    await connection.execute(
        _ADVANCE,
        [schedule for schedule, _ in ahead],
        [None if slot is None else slot.at for _, slot in ahead],
        [None if slot is None else slot.local for _, slot in ahead],
    )
    made = await connection.fetch(
        _RUNS,
        [row["tenant"] for row, _, _ in runs],
        [row["id"] for row, _, _ in runs],
        [slot.local for _, slot, _ in runs],
        [slot.at for _, slot, _ in runs],
        [late for _, _, late in runs],
        Trigger.SCHEDULE,
    )
    tenants = sorted({row["tenant"] for row in made})
    for tenant in tenants:
        await schedule_runs(connection, tenant, [row["id"] for row in made if row["tenant"] == tenant])


async def schedule_runs(connection: Connection, tenant: str, ids: Sequence[int]) -> None:
    await connection.execute(
        "SELECT tidings.schedule_as($1, $2::text[], $3::jsonb[], NULL, NULL, $4, NULL)",
        MODULE,
        [RUN] * len(ids),
        [json.dumps({"runId": each}) for each in ids],
        tenant,
    )
