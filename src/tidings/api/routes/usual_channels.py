"""By which channels each kind of people is told, over HTTP: as usual, or as your tenant wants it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.responses import Response

from tidings.api.bodies.reservations import UsualChannelsBody
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.reservations import UsualChannelsDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.shown.reservations import shown_usual
from tidings.kit.errors import NotFound
from tidings.modules.reservations.model import USUAL
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.people.usual_channels import UsualChannels

router = APIRouter(prefix="/v1/usual-channels", tags=["people"])
_READ = desk(Role.ADMIN, Scope.PEOPLE_READ)
_WRITE = desk(Role.ADMIN, Scope.PEOPLE_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.PEOPLE_WRITE, body=True)
UserType = Annotated[str, Path(alias="userType", max_length=100)]


@router.get(
    "",
    operation_id="list_usual_channels",
    response_model=Envelope[list[UsualChannelsDocument]],
    responses=signed_in(),
)
async def list_usual_channels(at: Annotated[Desk, _READ]) -> Response:
    """All user types that are known here."""
    found = await _usual(at).all()
    return answered({"data": [shown_usual(name, usual, own=own) for name, (usual, own) in found.items()]})


@router.put(
    "/{userType}",
    operation_id="set_usual_channels",
    response_model=Envelope[UsualChannelsDocument],
    responses=signed_in(415),
    openapi_extra=takes(UsualChannelsBody),
)
async def set_usual_channels(user_type: UserType, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """From now on; a person's own preferences narrow it."""
    usual = at.parsed(UsualChannelsBody).usual()
    await _usual(at).set(_known(user_type), usual)
    return answered({"data": shown_usual(user_type, usual, own=True)})


@router.delete(
    "/{userType}",
    operation_id="reset_usual_channels",
    response_model=Envelope[UsualChannelsDocument],
    responses=signed_in(),
)
async def reset_usual_channels(user_type: UserType, at: Annotated[Desk, _WRITE]) -> Response:
    """As usual again."""
    await _usual(at).reset(_known(user_type))
    document: dict[str, Any] = shown_usual(user_type, USUAL[user_type], own=False)
    return answered({"data": document})


def _known(user_type: str) -> str:
    if user_type not in USUAL:
        raise NotFound("There is no such user type.")
    return user_type


def _usual(at: Desk) -> UsualChannels:
    return UsualChannels(at.connection, at.tenant, USUAL)
