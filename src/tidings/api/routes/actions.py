"""Acting on a notification over HTTP: the first to act settles its matter, for all who were told of it."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter
from starlette.responses import Response

from tidings.api.bodies.reservations import ActionBody
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.inbox import InboxDocument, shown_notification, shown_settlement
from tidings.api.documents.reservations import ActedDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.routes.inbox import Person
from tidings.api.shown.reservations import shown_tried
from tidings.app.modules import module_effects
from tidings.kit.errors import AlreadyHandled
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.inbox import Inbox
from tidings.spine.notify.matters.settling import Handled, Matters
from tidings.spine.notify.matters.tried import all_who_tried
from tidings.spine.notify.ownership import person_of

router = APIRouter(prefix="/v1/notifications", tags=["inbox"])
_READ = desk(Role.MEMBER, Scope.INBOX)
_WRITE_BODY = desk(Role.MEMBER, Scope.INBOX, body=True)


@router.post(
    "/{id:uuid}/actions",
    operation_id="act_on_notification",
    status_code=201,
    response_model=Envelope[InboxDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(ActionBody, idempotent=True),
)
async def act_on_notification(id: UUID, at: Annotated[Desk, _WRITE_BODY], person: Person = None) -> Response:
    """Settles its matter, unless somebody was quicker: then 409 says who, when and how. The same by the same person
    again changes nothing, and is no error."""
    deed = at.parsed(ActionBody).deed()
    actor = await person_of(at.connection, at.identity, person)

    async def act() -> dict[str, Any] | AlreadyHandled:
        matters = Matters(at.connection, at.tenant, module_effects())
        outcome = await matters.act(id, actor, at.identity.actor, deed)
        if isinstance(outcome, Handled):
            by = outcome.settlement.person or "somebody"
            return AlreadyHandled(f"Handled by {by} already.", handled=shown_settlement(outcome.settlement))
        return shown_notification(await Inbox(at.connection, at.tenant, actor).get(id))

    return await at.once(act, 201)


@router.get(
    "/{id:uuid}/actions",
    operation_id="list_actions",
    response_model=Envelope[list[ActedDocument]],
    responses=signed_in(),
)
async def list_actions(id: UUID, at: Annotated[Desk, _READ], person: Person = None) -> Response:
    """Everybody who acted on its matter, or tried to: the first, then the others as they came, a hundred at most."""
    inbox = Inbox(at.connection, at.tenant, await person_of(at.connection, at.identity, person))
    matter = (await inbox.get(id)).matter
    tried = [] if matter is None else await all_who_tried(at.connection, at.tenant, matter)
    return answered({"data": shown_tried(tried)})
