"""What an action on its matter does to a reservation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, assert_never

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Fault, ValidationFailed
from tidings.modules.reservations.model import OPEN, Status, check_time, parse_matter
from tidings.modules.reservations.recording import Recording
from tidings.spine.notify.matters.model import Action, Origin, Settlement

_CHANGES = {
    Status.CONFIRMED: "status = 'confirmed', reserved_for = coalesce(proposed_for, reserved_for), proposed_for = NULL",
    Status.REJECTED: "status = 'rejected'",
    Status.POSTPONED: "status = 'postponed', proposed_for = $5, round = round + 1",
}


@dataclass(frozen=True)
class ReservationEffect:
    async def settled(self, connection: Connection, tenant: str, settlement: Settlement, origin: Origin) -> None:
        """`Conflict` where the reservation does not wait for it (any more), `ValidationFailed` for a proposed time that
        nobody can come at: in both, nothing is settled."""
        now: datetime = await connection.fetchval("SELECT now()")
        match settlement.action:
            case Action.CONFIRMED:
                await self._change(connection, tenant, settlement, origin, Status.CONFIRMED)
            case Action.REJECTED:
                await self._change(connection, tenant, settlement, origin, Status.REJECTED)
            case Action.POSTPONED:
                if settlement.proposed_time is None:
                    message = "is needed to propose another time"
                    raise ValidationFailed(f"proposedTime: {message}", (Fault("proposedTime", message),))
                check_time("proposedTime", settlement.proposed_time, now)
                await self._change(connection, tenant, settlement, origin, Status.POSTPONED)
            case Action.DISMISSED | Action.CUSTOM | Action.WITHDRAWN:
                pass
            case never:
                assert_never(never)

    async def _change(
        self, connection: Connection, tenant: str, settlement: Settlement, origin: Origin, status: Status
    ) -> None:
        of, asked = parse_matter(settlement.matter)
        given: list[Any] = [tenant, of, list(OPEN), asked]
        if status is Status.POSTPONED:
            given.append(settlement.proposed_time)
        row = await connection.fetchrow(
            f"""UPDATE tidings.reservations SET {_CHANGES[status]}, updated_at = now()
                WHERE tenant = $1 AND id = $2 AND status = ANY ($3::text[]) AND round = $4 RETURNING *""",
            *given,
        )
        if row is None:
            raise Conflict("The reservation does not wait for this any more.")
        if status is Status.CONFIRMED and row["reserved_for"] <= await connection.fetchval("SELECT now()"):
            raise Conflict("Its time has passed: it cannot be confirmed any more.")
        await Recording(connection, origin).fact(status, row, person_id=settlement.person_id)
