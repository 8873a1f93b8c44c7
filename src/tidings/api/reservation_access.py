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
_PLACES = """
SELECT p.user_type = 'ADMIN_USER' AS runs_the_trade,
    ARRAY(SELECT t.id FROM tidings.group_members m JOIN tidings.restaurants t USING (group_id)
          WHERE m.person_id = p.id) AS restaurants,
    ARRAY(SELECT a.id FROM tidings.group_members m JOIN tidings.agencies a USING (group_id)
          WHERE m.person_id = p.id) AS agencies
FROM tidings.people p WHERE p.tenant = $1 AND p.id = $2
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
        noted = self.viewer.runs(reservation.restaurant_id)
        return shown_reservation(reservation, mine=self._may_cancel(reservation), noted=noted)

    async def get(self, id: int) -> Reservation:
        return await self.reservations.get(self.viewer, id)

    def require_own(self, reservation: Reservation) -> None:
        if not self._may_cancel(reservation):
            raise Forbidden("Only the customer, or an admin, may do this.")

    def require_part(self, customer_id: UUID, restaurant_id: int, agency_id: int | None) -> None:
        """Their own, or one of a place that they belong to."""
        who = self.viewer
        theirs = restaurant_id in who.restaurants or agency_id in who.agencies
        if not (who.admin or theirs or who.person_id == customer_id):
            raise Forbidden("You may make reservations for yourself, and for the places that you belong to.")

    def _may_cancel(self, reservation: Reservation) -> bool:
        own = self.viewer.person_id is not None and reservation.customer_id == self.viewer.person_id
        return self.viewer.admin or own


async def party(at: Desk) -> Party:
    user = at.identity.user_id
    linked = {} if user is None else await people_of_users(at.connection, at.tenant, [user])
    person = linked[user].id if user is not None and user in linked else None
    admin = at.identity.role.reaches(Role.ADMIN)
    row = None if person is None else await at.connection.fetchrow(_PLACES, at.tenant, person)
    if row is None:
        return Party(at, Viewer(person, admin, admin))
    everything = admin or bool(row["runs_the_trade"])
    return Party(at, Viewer(person, admin, everything, tuple(row["restaurants"]), tuple(row["agencies"])))
