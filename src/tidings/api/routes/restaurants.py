"""Restaurants over HTTP: places whose people are told of reservations."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from starlette.responses import Response

from tidings.api.bodies.reservations import NewRestaurantBody, RestaurantChangesBody
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.reservations import RestaurantDocument
from tidings.api.numbers import number
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.reservations import shown_restaurant
from tidings.modules.reservations.places import Restaurants
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/restaurants", tags=["reservations"])
_READ = desk(Role.MEMBER, Scope.RESERVATIONS_READ)
_WRITE = desk(Role.ADMIN, Scope.RESERVATIONS_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.RESERVATIONS_WRITE, body=True)
RestaurantId = Annotated[int, number("restaurantId")]


@router.get("", operation_id="list_restaurants", response_model=Listing[RestaurantDocument], responses=signed_in())
async def list_restaurants(at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None) -> Response:
    """The newest first."""
    page = await _restaurants(at).list(at.position("restaurants", cursor), limit)
    return at.page("restaurants", page, shown_restaurant)


@router.post(
    "",
    operation_id="create_restaurant",
    status_code=201,
    response_model=Envelope[RestaurantDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(NewRestaurantBody, idempotent=True),
)
async def create_restaurant(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Makes it, with a group for its people: add them there."""
    body = at.parsed(NewRestaurantBody)

    async def act() -> dict[str, Any]:
        return shown_restaurant(await _restaurants(at).create(body.name, body.external_id, body.columns()))

    return await at.once(act, 201)


@router.get(
    "/{restaurantId:number}",
    operation_id="get_restaurant",
    response_model=Envelope[RestaurantDocument],
    responses=signed_in(),
)
async def get_restaurant(restaurant_id: RestaurantId, at: Annotated[Desk, _READ]) -> Response:
    """One restaurant."""
    return answered({"data": shown_restaurant(await _restaurants(at).get(restaurant_id))})


@router.patch(
    "/{restaurantId:number}",
    operation_id="change_restaurant",
    response_model=Envelope[RestaurantDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(RestaurantChangesBody),
)
async def change_restaurant(restaurant_id: RestaurantId, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Changes what is given."""
    body = at.parsed(RestaurantChangesBody)
    changed = await _restaurants(at).change(restaurant_id, body.group(), body.columns())
    return answered({"data": shown_restaurant(changed)})


@router.delete(
    "/{restaurantId:number}",
    operation_id="delete_restaurant",
    status_code=204,
    response_class=Response,
    responses=signed_in(409),
)
async def delete_restaurant(restaurant_id: RestaurantId, at: Annotated[Desk, _WRITE]) -> Response:
    """One that has reservations stays for them. Its people stay in any case."""
    await _restaurants(at).delete(restaurant_id)
    return Response(status_code=204)


def _restaurants(at: Desk) -> Restaurants:
    return Restaurants(at.connection, at.tenant)
