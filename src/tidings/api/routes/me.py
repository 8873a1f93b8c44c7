"""What people see and set of themselves: the person that your login is linked to."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from starlette.responses import Response

from tidings.api.bodies.people import OwnBody
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.people import PersonDocument, PreferenceDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.routes.people import people_at
from tidings.api.routes.wishes import PreferencesBody, preferences_of
from tidings.api.shown.people import shown_person
from tidings.kit.errors import NotFound
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.people.person import Person
from tidings.spine.notify.people.wishes import Wishes

router = APIRouter(prefix="/v1/people/me", tags=["people"])
_OWN = desk(Role.MEMBER, Scope.INBOX)
_OWN_BODY = desk(Role.MEMBER, Scope.INBOX, body=True)


@router.get("", operation_id="get_me", response_model=Envelope[PersonDocument], responses=signed_in())
async def get_me(at: Annotated[Desk, _OWN]) -> Response:
    """The person that you are."""
    return answered({"data": shown_person(await myself(at))})


@router.patch(
    "",
    operation_id="change_me",
    response_model=Envelope[PersonDocument],
    responses=signed_in(415),
    openapi_extra=takes(OwnBody),
)
async def change_me(at: Annotated[Desk, _OWN_BODY]) -> Response:
    """Sets your quiet hours, your timezone or your language."""
    writing = at.parsed(OwnBody).writing()
    written = await people_at(at).change((await myself(at)).id, writing)
    return answered({"data": shown_person(written.person)})


@router.get(
    "/preferences",
    operation_id="get_my_preferences",
    response_model=Envelope[list[PreferenceDocument]],
    responses=signed_in(),
)
async def get_my_preferences(at: Annotated[Desk, _OWN]) -> Response:
    """What you want to hear, and where."""
    return await preferences_of(at, (await myself(at)).id)


@router.put(
    "/preferences",
    operation_id="set_my_preferences",
    response_model=Envelope[list[PreferenceDocument]],
    responses=signed_in(415),
    openapi_extra=takes(PreferencesBody),
)
async def set_my_preferences(at: Annotated[Desk, _OWN_BODY]) -> Response:
    """Sets all your preferences. A category that is required cannot be turned off."""
    wishes = at.parsed(PreferencesBody).wishes()
    me = await myself(at)
    await Wishes(at.connection, at.tenant).set(me.id, wishes)
    return await preferences_of(at, me.id)


async def myself(at: Desk) -> Person:
    """`NotFound` for a login that is linked to nobody."""
    if at.identity.user_id is None:
        raise NotFound("You are not linked to a person here.")
    try:
        return await people_at(at).of_user(at.identity.user_id)
    except NotFound:
        raise NotFound("You are not linked to a person here.") from None
