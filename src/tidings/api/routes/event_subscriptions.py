"""Who is told of an event, over HTTP: joining, choosing, leaving; and who has joined, for its organiser."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from starlette.responses import Response

from tidings.api.bodies.events import ChoiceBody, JoinBody
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.events import SubscriptionDocument
from tidings.api.event_access import EventId, SubscriptionPath, Visitor, visitor
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.events import shown_subscription
from tidings.kit.errors import Fault, Forbidden, NotFound, ValidationFailed
from tidings.modules.events.model import Subscription
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/events/{eventId:number}/subscriptions", tags=["events"])
_READ = desk(Role.MEMBER, Scope.EVENTS_READ)
_WRITE = desk(Role.MEMBER, Scope.EVENTS_WRITE)
_WRITE_BODY = desk(Role.MEMBER, Scope.EVENTS_WRITE, body=True)


@router.post(
    "",
    operation_id="join_event",
    status_code=201,
    response_model=Envelope[SubscriptionDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(JoinBody, idempotent=True),
)
async def join_event(event_id: EventId, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Joins the event; an admin may have somebody else join it."""
    body, who = at.parsed(JoinBody), await visitor(at)
    if body.person_id not in {None, who.person_id} and not who.is_admin:
        raise Forbidden("Only an admin may have somebody else join.")

    async def act() -> dict[str, Any]:
        person = body.person_id or who.required_person()
        await _require_person(at, body)
        return shown_subscription(await who.subscriptions.join(event_id, person, body.choice()))

    return await at.once(act, 201)


@router.get("", operation_id="list_subscriptions", response_model=Listing[SubscriptionDocument], responses=signed_in())
async def list_subscriptions(
    event_id: EventId, at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None
) -> Response:
    """Who has joined, for the organiser, in the order in which they first came."""
    who, listing = await visitor(at), f"subscriptions {event_id}"
    await who.own(event_id)
    page = await who.subscriptions.list(event_id, at.position(listing, cursor), limit)
    return at.page(listing, page, shown_subscription)


@router.get(
    "/me", operation_id="get_my_subscription", response_model=Envelope[SubscriptionDocument], responses=signed_in()
)
async def get_my_subscription(event_id: EventId, at: Annotated[Desk, _READ]) -> Response:
    """Your own subscription."""
    return answered({"data": shown_subscription(await mine(await visitor(at), event_id))})


@router.patch(
    "/me",
    operation_id="change_my_subscription",
    response_model=Envelope[SubscriptionDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(ChoiceBody),
)
async def change_my_subscription(event_id: EventId, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Chooses when to be reminded, and where to hear of the event. What stays is not touched."""
    who = await visitor(at)
    changed = await who.subscriptions.change(await mine(who, event_id), at.parsed(ChoiceBody).choice())
    return answered({"data": shown_subscription(changed)})


@router.delete("/me", operation_id="leave_event", status_code=204, response_class=Response, responses=signed_in())
async def leave_event(event_id: EventId, at: Annotated[Desk, _WRITE]) -> Response:
    """Leaves the event. Nobody comments on it."""
    who = await visitor(at)
    await who.subscriptions.leave(event_id, (await mine(who, event_id)).id)
    return Response(status_code=204)


@router.get(
    "/{subscriptionId:number}",
    operation_id="get_subscription",
    response_model=Envelope[SubscriptionDocument],
    responses=signed_in(),
)
async def get_subscription(
    event_id: EventId, subscription_id: SubscriptionPath, at: Annotated[Desk, _READ]
) -> Response:
    """One subscription, for the organiser."""
    who = await visitor(at)
    await who.own(event_id)
    return answered({"data": shown_subscription(await who.subscriptions.get(event_id, subscription_id))})


@router.delete(
    "/{subscriptionId:number}",
    operation_id="remove_subscription",
    status_code=204,
    response_class=Response,
    responses=signed_in(),
)
async def remove_subscription(
    event_id: EventId, subscription_id: SubscriptionPath, at: Annotated[Desk, _WRITE]
) -> Response:
    """Takes somebody off the list, for the organiser. Nobody is told of it."""
    who = await visitor(at)
    await who.own(event_id)
    await who.subscriptions.leave(event_id, subscription_id)
    return Response(status_code=204)


async def mine(who: Visitor, event_id: int) -> Subscription:
    """`NotFound` for an event that is not there, and for one that they have not joined."""
    await who.events.get(event_id)
    try:
        return await who.subscriptions.of_person(event_id, who.required_person())
    except NotFound:
        raise NotFound("You have not joined this event.") from None


async def _require_person(at: Desk, body: JoinBody) -> None:
    if body.person_id is not None and not await at.connection.fetchval(
        "SELECT EXISTS (SELECT FROM tidings.people WHERE tenant = $1 AND id = $2)", at.tenant, body.person_id
    ):
        message = "there is no such person"
        raise ValidationFailed(f"personId: {message}", (Fault("personId", message),))
