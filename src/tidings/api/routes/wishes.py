"""What a person belongs to and wants to hear, over HTTP: groups, topics and preferences."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import AfterValidator, Field
from starlette.responses import Response

from tidings.api.bodies import Input
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.people import GroupDocument, PreferenceDocument, TopicDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.routes.people import people_at
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.people import shown_group, shown_preference, shown_topic
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.groups import Groups
from tidings.spine.notify.people.preferences import Preference
from tidings.spine.notify.people.topics import Topics
from tidings.spine.notify.people.wishes import Wishes

router = APIRouter(prefix="/v1/people/{id:uuid}", tags=["people"])
_READ = desk(Role.ADMIN, Scope.PEOPLE_READ)
_WRITE = desk(Role.ADMIN, Scope.PEOPLE_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.PEOPLE_WRITE, body=True)

Topic = Annotated[str, Path(pattern=fields.WORD), AfterValidator(fields.topic)]
ChannelName = Literal["*", "email", "sms", "whatsapp", "push", "slack", "websocket", "webhook", "apprise"]
CategoryName = Annotated[str, Field(pattern=rf"^\*$|{fields.WORD}")]


class PreferenceBody(Input):
    category: CategoryName = Field(description="`*` for every one")
    channel: ChannelName = Field(description="`*` for every one")
    wanted: bool


class PreferencesBody(Input):
    """All that somebody wants and does not want: category and channel before category before channel before all. Of two
    about the same, the last counts."""

    preferences: Annotated[list[PreferenceBody], Field(max_length=500)]

    def wishes(self) -> list[Preference]:
        return [Preference(p.category, p.channel, p.wanted) for p in self.preferences]


@router.get(
    "/groups", operation_id="list_groups_of_person", response_model=Listing[GroupDocument], responses=signed_in()
)
async def list_groups_of_person(
    id: UUID, at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None
) -> Response:
    """The groups that a person belongs to, newest first."""
    await people_at(at).get(id)
    page = await Groups(at.connection, at.tenant).of(id, at.position(f"groups {id}", cursor), limit)
    return at.page(f"groups {id}", page, shown_group)


@router.get("/topics", operation_id="list_topics", response_model=Listing[TopicDocument], responses=signed_in())
async def list_topics(id: UUID, at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None) -> Response:
    """The topics that a person asked to hear about."""
    await people_at(at).get(id)
    page = await Topics(at.connection, at.tenant).of(id, at.position(f"topics {id}", cursor), limit)
    return at.page(f"topics {id}", page, shown_topic)


@router.put(
    "/topics/{topic}", operation_id="subscribe", status_code=204, response_class=Response, responses=signed_in()
)
async def subscribe(id: UUID, topic: Topic, at: Annotated[Desk, _WRITE]) -> Response:
    """Subscribes a person to a topic."""
    await Topics(at.connection, at.tenant).subscribe(id, topic)
    return Response(status_code=204)


@router.delete(
    "/topics/{topic}", operation_id="unsubscribe", status_code=204, response_class=Response, responses=signed_in()
)
async def unsubscribe(id: UUID, topic: Topic, at: Annotated[Desk, _WRITE]) -> Response:
    """Ends a subscription."""
    await Topics(at.connection, at.tenant).unsubscribe(id, topic)
    return Response(status_code=204)


@router.get(
    "/preferences",
    operation_id="get_preferences",
    response_model=Envelope[list[PreferenceDocument]],
    responses=signed_in(),
)
async def get_preferences(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """What a person wants to hear, and where. Of what nothing is said, everything."""
    await people_at(at).get(id)
    return await preferences_of(at, id)


@router.put(
    "/preferences",
    operation_id="set_preferences",
    response_model=Envelope[list[PreferenceDocument]],
    responses=signed_in(415),
    openapi_extra=takes(PreferencesBody),
)
async def set_preferences(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Sets all preferences of a person. A category that is required cannot be turned off."""
    await Wishes(at.connection, at.tenant).set(id, at.parsed(PreferencesBody).wishes())
    return await preferences_of(at, id)


async def preferences_of(at: Desk, person_id: UUID) -> Response:
    found = await Wishes(at.connection, at.tenant).of(person_id)
    return answered({"data": [shown_preference(preference) for preference in found]})
