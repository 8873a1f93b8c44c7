"""Settling a matter: the first to act wins, in one statement, however many try at once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Fault, NotFound, ValidationFailed
from tidings.spine.notify.announcing import Change, announce
from tidings.spine.notify.inbox import Inbox
from tidings.spine.notify.matters.kinds import ESCALATE
from tidings.spine.notify.matters.model import Action, Deed, Effects, Origin, Settlement, subject_of
from tidings.spine.notify.matters.tried import SETTLEMENT, settlement_of

MODULE = "notify"
SETTLED = "matter.settled"
"""The fact that a matter has been settled."""

# What has come about by the longest chain of facts that there may be can be acted on still: it begins a new one.
_TOLD = """
SELECT o.matter, o.actions, CASE WHEN coalesce((f.metadata ->> 'depth')::int, 0) < 16 THEN f.id END AS cause
FROM tidings.notifications m JOIN tidings.notices o ON o.id = m.notice_id LEFT JOIN tidings.facts f ON f.id = o.fact_id
WHERE m.tenant = $1 AND m.person_id = $2 AND m.id = $3
"""
# Whoever comes at the same time waits here until the first has committed, and takes over if they have not.
_WIN = """
INSERT INTO tidings.actions (tenant, matter, notification_id, person_id, actor, action, note, proposed_time, won)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, true) ON CONFLICT (tenant, matter) WHERE won DO NOTHING RETURNING id
"""
_TRY = """
INSERT INTO tidings.actions (tenant, matter, notification_id, person_id, actor, action, note, proposed_time, won)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, false) ON CONFLICT (tenant, matter, person_id) WHERE NOT won DO NOTHING
"""
_TAKE = """
SELECT id FROM tidings.notices WHERE tenant = $1 AND matter = $2 ORDER BY id FOR NO KEY UPDATE
"""
_CLOSE = """
UPDATE tidings.notices SET closed_at = now(), closed_reason = $3
WHERE tenant = $1 AND matter = $2 AND actions <> '{}' AND closed_at IS NULL
"""
_STOP = f"""
SELECT tidings.cancel_own('{MODULE}', '{ESCALATE}', id::text, 'handled') FROM tidings.notices
WHERE tenant = $1 AND matter = $2 AND escalation IS NOT NULL
"""
_HOLDERS = """
SELECT m.person_id, m.id FROM tidings.notices o JOIN tidings.notifications m ON m.notice_id = o.id
WHERE o.tenant = $1 AND o.matter = $2 AND o.actions <> '{}'
"""


@dataclass(frozen=True)
class Won:
    """It is settled by this; `again` where it had been, by the same person in the same way."""

    settlement: Settlement
    again: bool = False


@dataclass(frozen=True)
class Handled:
    """Somebody was quicker."""

    settlement: Settlement


Outcome: TypeAlias = Won | Handled


@dataclass(frozen=True)
class Matters:
    """The matters of one tenant. Whoever uses it commits also what was lost: the audit has who tried."""

    connection: Connection
    tenant: str
    effects: Effects

    async def act(self, notification_id: UUID, person_id: UUID, actor: str, deed: Deed) -> Outcome:
        """`NotFound` for somebody who was not told; `ValidationFailed` for what cannot be done about it."""
        matter, cause = await self._told(notification_id, person_id, deed)
        given = (notification_id, person_id, actor, str(deed.action), deed.note, deed.proposed_time)
        won = await self.connection.fetchval(_WIN, self.tenant, matter, *given)
        settlement = await self.settlement(matter)
        assert settlement is not None
        if won is None:
            if settlement.is_by(person_id, deed):
                return Won(settlement, again=True)
            await self.connection.execute(_TRY, self.tenant, matter, *given)
            return Handled(settlement)
        await self._settle(settlement, Origin(actor, cause))
        await Inbox(self.connection, self.tenant, person_id).read([notification_id])
        return Won(settlement)

    async def withdraw(self, matter: str, person_id: UUID | None, actor: str) -> None:
        """What it is about is gone: there is nothing to settle any more. One that is settled stays so."""
        given = (None, person_id, actor, str(Action.WITHDRAWN), None, None)
        if await self.connection.fetchval(_WIN, self.tenant, matter, *given) is not None:
            settlement = await self.settlement(matter)
            assert settlement is not None
            await self._settle(settlement, Origin(actor))

    async def settlement(self, matter: str) -> Settlement | None:
        row = await self.connection.fetchrow(
            f"SELECT {SETTLEMENT} WHERE h.tenant = $1 AND h.matter = $2 AND h.won", self.tenant, matter
        )
        return None if row is None else settlement_of(row)

    async def _told(self, notification_id: UUID, person_id: UUID, deed: Deed) -> tuple[str, UUID | None]:
        """The matter, and the fact because of which they were told of it."""
        row = await self.connection.fetchrow(_TOLD, self.tenant, person_id, notification_id)
        if row is None:
            raise NotFound("There is no such notification.")
        if deed.action not in row["actions"]:
            possible = ", ".join(row["actions"]) or "nothing: it informs, and cannot be acted on"
            message = f"what can be done about this notice is {possible}"
            raise ValidationFailed(f"action: {message}", (Fault("action", message),))
        return row["matter"], row["cause"]

    async def _settle(self, settlement: Settlement, origin: Origin) -> None:
        effect = self.effects.get(subject_of(settlement.matter))
        if effect is not None and settlement.action is not Action.WITHDRAWN:
            await effect.settled(self.connection, self.tenant, settlement, origin)
        await self.connection.execute(_STOP, self.tenant, settlement.matter)  # first, as who escalates has it first
        await self.connection.execute(_TAKE, self.tenant, settlement.matter)  # in one order, as those who read do
        reason = f"handled by {settlement.person or 'somebody'}: {settlement.action}"
        await self.connection.execute(_CLOSE, self.tenant, settlement.matter, reason)
        holders = await self.connection.fetch(_HOLDERS, self.tenant, settlement.matter)
        await announce(self.connection, self.tenant, [tuple(row) for row in holders], Change.HANDLED)
        await self._emit(settlement, origin)

    async def _emit(self, settlement: Settlement, origin: Origin) -> None:
        person = None if settlement.person_id is None else str(settlement.person_id)
        data: dict[str, Any] = {"matter": settlement.matter, "action": settlement.action, "personId": person}
        await self.connection.fetchval(
            "SELECT tidings.emit_own($1, $2, $3::text::jsonb, 'matter', $4, 'settled', $5::text::jsonb)",
            MODULE,
            SETTLED,
            json.dumps(data | {"actionId": str(settlement.id)}),
            settlement.matter,
            json.dumps(origin.metadata()),
        )
