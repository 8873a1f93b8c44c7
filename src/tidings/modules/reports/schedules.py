"""The schedules of one tenant. Whatever changes one changes its next intent, in the same transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, LimitExceeded, NotFound
from tidings.kit.paging import Page, page_of
from tidings.modules.reports.model import (
    MODULE,
    MOST_ACTIVE,
    TICK,
    CatchUp,
    Recipient,
    RunStatus,
    Schedule,
    Status,
    Wanted,
    tick_key,
)
from tidings.modules.reports.rendering.formats import Format
from tidings.modules.reports.slots import Slot
from tidings.modules.reports.timing import CadenceType, Timing
from tidings.spine.outbox.intents import Row

_COLUMNS = (
    "cadence_type",
    "cadence_day",
    "cadence_weekday",
    "cadence_week",
    "interval_weeks",
    "cron_expression",
    "schedule_time",
    "since",
    "timezone",
)
_SHOWN = """
SELECT s.*, r.status AS last_run_status, r.created_at AS last_run_at FROM tidings.report_schedules s
LEFT JOIN LATERAL (SELECT x.status, x.created_at FROM tidings.report_runs x WHERE x.schedule_id = s.id
                   ORDER BY x.id DESC LIMIT 1) r ON true
WHERE s.tenant = $1 AND s.status <> 'deleted' AND ($2::text IS NULL OR s.owner = $2)
"""
_CREATE = f"""
INSERT INTO tidings.report_schedules (tenant, owner, name, report_type, catch_up, format, next_run_at, next_slot,
    {", ".join(_COLUMNS)})
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, {", ".join(f"${n}" for n in range(9, 9 + len(_COLUMNS)))}) RETURNING id
"""
_CHANGE = f"""
UPDATE tidings.report_schedules SET name = $2, report_type = $3, catch_up = $4, format = $5, next_run_at = $6,
    next_slot = $7, updated_at = now(), {", ".join(f"{name} = ${n}" for n, name in enumerate(_COLUMNS, 8))}
WHERE id = $1
"""
# Whoever has one of them in hand has said its notice by then, or finds it cancelled.
_HOLD_RUNS = "SELECT FROM tidings.report_runs WHERE schedule_id = $1 AND status = 'delivering' FOR UPDATE"
_CANCEL_RUNS = """
UPDATE tidings.report_runs r SET status = 'cancelled', error_message = $2, completed_at = now()
WHERE r.schedule_id = $1 AND (r.status IN ('pending', 'generating', 'generated') OR r.status = 'delivering'
    AND NOT EXISTS (SELECT FROM tidings.notices n WHERE n.tenant = r.tenant AND n.matter = 'report:' || r.id))
"""
_CLOSE_MAILS = """
UPDATE tidings.notices n SET closed_at = now(), closed_reason = $2 FROM tidings.report_runs r
WHERE r.schedule_id = $1 AND r.status = 'delivering' AND n.tenant = r.tenant AND n.matter = 'report:' || r.id
    AND n.closed_at IS NULL
"""
_RECIPIENTS = """
SELECT r.id, r.email, u.email IS NULL AS is_active FROM tidings.report_recipients r
LEFT JOIN tidings.report_unsubscribed u USING (schedule_id, email)
WHERE r.tenant = $1 AND r.schedule_id = $2 AND r.removed_at IS NULL ORDER BY r.id
"""


@dataclass(frozen=True)
class Schedules:
    """`owner`: those of this one alone; None sees all of the tenant."""

    connection: Connection
    tenant: str
    owner: str | None
    most_active: int = MOST_ACTIVE

    async def list(self, status: Status | None, before: int | None, limit: int) -> Page[Schedule]:
        """The newest first."""
        rows = await self.connection.fetch(
            f"{_SHOWN} AND ($3::text IS NULL OR s.status = $3) AND ($4::bigint IS NULL OR s.id < $4) "
            f"ORDER BY s.id DESC LIMIT {limit + 1}",
            self.tenant,
            self.owner,
            status,
            before,
        )
        return page_of([schedule_of(row) for row in rows], limit, lambda schedule: schedule.id)

    async def get(self, id: int, locking: str = "") -> Schedule:
        row = await self.connection.fetchrow(f"{_SHOWN} AND s.id = $3 {locking}", self.tenant, self.owner, id)
        if row is None:
            raise NotFound("There is no such schedule.")
        return schedule_of(row)

    async def recipients(self, id: int) -> Sequence[Recipient]:
        return [Recipient(**row) for row in await self.connection.fetch(_RECIPIENTS, self.tenant, id)]

    async def create(self, owner: str, wanted: Wanted) -> int:
        """`LimitExceeded` for somebody who has as many as one may have."""
        await self._require_room(owner)
        slot = wanted.timing.next_slot(await self._now())
        columns = wanted.timing.columns()
        id: int = await self.connection.fetchval(  # noqa: A001
            _CREATE,
            self.tenant,
            owner,
            wanted.name,
            wanted.report_type,
            wanted.catch_up,
            wanted.format,
            *_at(slot),
            *(columns[name] for name in _COLUMNS),
        )
        await self._set_recipients(id, wanted.recipients)
        await self._arm(id, slot)
        return id

    async def change(self, id: int, wanted: Wanted, *, recipients_too: bool) -> None:
        """A run that is not generated yet is of what the schedule says then. Where it is due at other times now, so is
        what waits."""
        present = await self.get(id, "FOR UPDATE OF s")
        moved = wanted.timing != present.timing
        slot = wanted.timing.next_slot(await self._now()) if moved else None
        columns = wanted.timing.columns()
        at = _at(slot) if moved else await self._present_slot(id)
        await self.connection.execute(
            _CHANGE,
            id,
            wanted.name,
            wanted.report_type,
            wanted.catch_up,
            wanted.format,
            *at,
            *(columns[name] for name in _COLUMNS),
        )
        if recipients_too:
            await self._set_recipients(id, wanted.recipients)
        if moved and present.status is Status.ACTIVE:
            await self._arm(id, slot)

    async def pause(self, id: int) -> Schedule:
        """Nothing of it runs any more: what is on its way is cancelled."""
        present = await self.get(id, "FOR UPDATE OF s")
        if present.status is not Status.ACTIVE:
            raise Conflict(f"Schedule is not active. Current status: {present.status}.")
        await self._become(id, Status.PAUSED)
        await self._disarm(id, "the schedule was paused")
        return await self.get(id)

    async def resume(self, id: int) -> Schedule:
        """From now on: what it missed while it was paused was not wanted."""
        present = await self.get(id, "FOR UPDATE OF s")
        if present.status is not Status.PAUSED:
            raise Conflict(f"Schedule is not paused. Current status: {present.status}.")
        await self._require_room(present.owner)
        slot = present.timing.next_slot(await self._now())
        await self._become(id, Status.ACTIVE)
        await self.connection.execute(
            "UPDATE tidings.report_schedules SET next_run_at = $2, next_slot = $3 WHERE id = $1", id, *_at(slot)
        )
        await self._arm(id, slot)
        return await self.get(id)

    async def delete(self, id: int) -> None:
        """Gone for everybody; what became of its runs stays on record."""
        await self.get(id, "FOR UPDATE OF s")
        await self._become(id, Status.DELETED)
        await self._disarm(id, "the schedule was deleted")

    async def _become(self, id: int, status: Status) -> None:
        await self.connection.execute(
            "UPDATE tidings.report_schedules SET status = $2, updated_at = now() WHERE id = $1", id, status
        )

    async def _require_room(self, owner: str) -> None:
        """Behind a lock for each owner: of two who ask at once, one is counted by the other."""
        await self.connection.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            json.dumps(["report_schedules", self.tenant, owner]),
        )
        active: int = await self.connection.fetchval(
            "SELECT count(*) FROM tidings.report_schedules WHERE tenant = $1 AND owner = $2 AND status = 'active'",
            self.tenant,
            owner,
        )
        if active >= self.most_active:
            raise LimitExceeded(
                f"Maximum {self.most_active} active schedules per user. Pause or delete a schedule to create a new one."
            )

    async def _set_recipients(self, id: int, emails: Sequence[str]) -> None:
        await self.connection.execute(
            "UPDATE tidings.report_recipients SET removed_at = now() WHERE schedule_id = $1 AND removed_at IS NULL", id
        )
        await self.connection.execute(
            """INSERT INTO tidings.report_recipients (tenant, schedule_id, email)
               SELECT $1, $2, e FROM unnest($3::text[]) WITH ORDINALITY AS t(e, n) ORDER BY n""",
            self.tenant,
            id,
            list(emails),
        )

    async def _arm(self, id: int, slot: Slot | None) -> None:
        await self._forget_tick(id, "it is due at another time")
        if slot is not None:
            await self.connection.execute(
                """SELECT tidings.schedule_own($1, ARRAY[$2::text],
                       ARRAY[jsonb_build_object('scheduleId', $3::bigint)], ARRAY[$4::text], ARRAY[$5::timestamptz])""",
                MODULE,
                TICK,
                id,
                tick_key(id),
                slot.at,
            )

    async def _disarm(self, id: int, reason: str) -> None:
        """What is on its way is cancelled; of what is being mailed, the mails that have not gone out yet."""
        await self._forget_tick(id, reason)
        await self.connection.execute(_HOLD_RUNS, id)
        await self.connection.execute(_CANCEL_RUNS, id, reason)
        await self.connection.execute(_CLOSE_MAILS, id, reason)

    async def _forget_tick(self, id: int, reason: str) -> None:
        await self.connection.execute("SELECT tidings.cancel_own($1, $2, $3, $4)", MODULE, TICK, tick_key(id), reason)

    async def _present_slot(self, id: int) -> tuple[datetime | None, datetime | None]:
        row = await self.connection.fetchrow(
            "SELECT next_run_at, next_slot FROM tidings.report_schedules WHERE id = $1", id
        )
        assert row is not None
        return row["next_run_at"], row["next_slot"]

    async def _now(self) -> datetime:
        now: datetime = await self.connection.fetchval("SELECT now()")
        return now


def _at(slot: Slot | None) -> tuple[datetime | None, datetime | None]:
    return (None, None) if slot is None else (slot.at, slot.local)


def timing_of(row: Row) -> Timing:
    given = {name: row[name] for name in _COLUMNS}
    return Timing(**given | {"cadence_type": CadenceType(row["cadence_type"])})


def schedule_of(row: Row) -> Schedule:
    last = row["last_run_status"]
    active = row["status"] == Status.ACTIVE
    return Schedule(
        row["id"],
        row["owner"],
        row["name"],
        row["report_type"],
        timing_of(row),
        CatchUp(row["catch_up"]),
        Format(row["format"]),
        Status(row["status"]),
        row["next_run_at"] if active else None,
        None if last is None else RunStatus(last),
        row["last_run_at"],
        row["created_at"],
        row["updated_at"],
    )
