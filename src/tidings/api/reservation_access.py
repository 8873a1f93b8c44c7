"""Who asks about a reservation: the person that they are, and what of it is theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from tidings.api.desk import Desk
from tidings.api.numbers import number
from tidings.api.shown.reservations import shown_reservation
from tidings.kit.errors import Forbidden
from tidings.modules.reservations.model import Reservation, Viewer
from tidings.modules.reservations.reservations import Reservations
from tidings.spine.access.identity import Role
from tidings.spine.notify.people.linked import people_of_users

ReservationId = Annotated[int, number("reservationId")]
_BELONGS = """
SELECT EXISTS (SELECT FROM tidings.group_members m WHERE m.person_id = $2 AND m.group_id IN (
    SELECT group_id FROM tidings.restaurants WHERE tenant = $1 AND id = $3
    UNION ALL SELECT group_id FROM tidings.agencies WHERE tenant = $1 AND id = $4))
"""


@dataclass(frozen=True)
class Party:
    """Somebody at the desk. An admin may do everything; everybody else what concerns their own person."""

    at: Desk
    viewer: Viewer

    @property
    def reservations(self) -> Reservations:
        return Reservations(self.at.connection, self.at.tenant, self.at.identity.actor)

    def shown(self, reservation: Reservation) -> dict[str, Any]:
        return shown_reservation(reservation, mine=self._may_cancel(reservation))

    async def get(self, id: int) -> Reservation:
        return await self.reservations.get(self.viewer, id)

    async def require_own(self, reservation: Reservation) -> None:
        if not self._may_cancel(reservation):
            raise Forbidden("Only the customer, or an admin, may do this.")

    async def require_part(self, customer_id: UUID, restaurant_id: int, agency_id: int | None) -> None:
        """Their own, or one of a place that they belong to."""
        if self.viewer.everything or self.viewer.person_id == customer_id:
            return
        belongs = await self.at.connection.fetchval(
            _BELONGS, self.at.tenant, self.viewer.person_id, restaurant_id, agency_id
        )
        if not belongs:
            raise Forbidden("You may make reservations for yourself, and for the places that you belong to.")

    def _may_cancel(self, reservation: Reservation) -> bool:
        own = self.viewer.person_id is not None and reservation.customer_id == self.viewer.person_id
        return self.viewer.everything or own


async def party(at: Desk) -> Party:
    user = at.identity.user_id
    linked = {} if user is None else await people_of_users(at.connection, at.tenant, [user])
    person = linked[user].id if user is not None and user in linked else None
    return Party(at, Viewer(person, at.identity.role.reaches(Role.ADMIN)))
