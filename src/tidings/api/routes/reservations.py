"""Reservations over HTTP: asked for, looked at, cancelled, taken up again; and what happened to them."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.responses import Response

from tidings.api.bodies.reservations import NewReservationBody
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.reservations import HistoryDocument, ReservationDocument, ReservationStatus
from tidings.api.openapi import signed_in, takes
from tidings.api.reservation_access import ReservationId, party
from tidings.api.shapes import PAGE, Cursor, Limit, Moment
from tidings.api.shown.reservations import shown_history
from tidings.modules.reservations.history import history_of
from tidings.modules.reservations.model import Status
from tidings.modules.reservations.reservations import ReservationFilter
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/reservations", tags=["reservations"])
_READ = desk(Role.MEMBER, Scope.RESERVATIONS_READ)
_READ_ALL = desk(Role.ADMIN, Scope.RESERVATIONS_READ)
_WRITE = desk(Role.MEMBER, Scope.RESERVATIONS_WRITE)
_WRITE_ALL = desk(Role.ADMIN, Scope.RESERVATIONS_WRITE)
_WRITE_BODY = desk(Role.MEMBER, Scope.RESERVATIONS_WRITE, body=True)


@router.get("", operation_id="list_reservations", response_model=Listing[ReservationDocument], responses=signed_in())
async def list_reservations(
    at: Annotated[Desk, _READ],
    status: Annotated[ReservationStatus | None, Query()] = None,
    restaurant: Annotated[int | None, Query(ge=1, le=10**18)] = None,
    customer: Annotated[UUID | None, Query()] = None,
    since: Annotated[Moment | None, Query(description="for this time or later")] = None,
    until: Annotated[Moment | None, Query(description="for before this time")] = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """The newest first. An admin sees all of the tenant; others their own, and those of the places they belong to."""
    who = await party(at)
    wanted = ReservationFilter(None if status is None else Status(status), restaurant, customer, since, until)
    page = await who.reservations.list(who.viewer, wanted, at.position("reservations", cursor), limit)
    return at.page("reservations", page, who.shown)


@router.post(
    "",
    operation_id="create_reservation",
    status_code=201,
    response_model=Envelope[ReservationDocument],
    responses=signed_in(415),
    openapi_extra=takes(NewReservationBody, idempotent=True),
)
async def create_reservation(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Asks for a table. The restaurant, the admins, the customer and the agency are told once this is saved."""
    body, who = at.parsed(NewReservationBody), await party(at)
    who.require_part(body.customer_id, body.restaurant_id, body.agency_id)

    async def act() -> dict[str, Any]:
        return who.shown(await who.get(await who.reservations.create(body.columns())))

    return await at.once(act, 201)


@router.get(
    "/{reservationId:number}",
    operation_id="get_reservation",
    response_model=Envelope[ReservationDocument],
    responses=signed_in(),
)
async def get_reservation(reservation_id: ReservationId, at: Annotated[Desk, _READ]) -> Response:
    """One reservation."""
    who = await party(at)
    return answered({"data": who.shown(await who.get(reservation_id))})


@router.get(
    "/{reservationId:number}/history",
    operation_id="get_reservation_history",
    response_model=Envelope[HistoryDocument],
    responses=signed_in(),
)
async def get_history(reservation_id: ReservationId, at: Annotated[Desk, _READ_ALL]) -> Response:
    """What happened: facts, which listener did what with them, and the notices that came of it. Who was told is in
    `/v1/notices/{id}/notifications`, each message in `/v1/deliveries`."""
    await (await party(at)).get(reservation_id)
    return answered({"data": shown_history(await history_of(at.connection, at.tenant, reservation_id))})


@router.post(
    "/{reservationId:number}/cancel",
    operation_id="cancel_reservation",
    response_model=Envelope[ReservationDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def cancel_reservation(reservation_id: ReservationId, at: Annotated[Desk, _WRITE]) -> Response:
    """By the customer, or an admin for them, while it is not decided. Nobody is asked about it any more."""
    who = await party(at)
    reservation = await who.get(reservation_id)
    who.require_own(reservation)

    async def act() -> dict[str, Any]:
        await who.reservations.cancel(reservation_id, who.viewer.person_id or reservation.customer_id)
        return who.shown(await who.get(reservation_id))

    return await at.once(act)


@router.post(
    "/{reservationId:number}/reopen",
    operation_id="reopen_reservation",
    response_model=Envelope[ReservationDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def reopen_reservation(reservation_id: ReservationId, at: Annotated[Desk, _WRITE_ALL]) -> Response:
    """Asks those who decide once more, where the matter was settled and the reservation was not."""
    who = await party(at)
    await who.get(reservation_id)

    async def act() -> dict[str, Any]:
        await who.reservations.reopen(reservation_id)
        return who.shown(await who.get(reservation_id))

    return await at.once(act)
