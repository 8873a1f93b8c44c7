"""Your integrations over HTTP: those of the person that your login is linked to, and of nobody else."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path
from starlette.responses import Response

from tidings.api.bodies.integrations import IntegrationChangesBody, NewIntegrationBody
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.integrations import IntegrationDocument, IntegrationTestDocument, IntegrationTriedDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.routes.me import myself
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.integrations import shown_integration, shown_test
from tidings.app.worker import default_providers
from tidings.spine.access.identity import Role, Scope
from tidings.spine.channels.port import Channel
from tidings.spine.delivery.providers import Provider, Providers
from tidings.spine.delivery.trying import Trials
from tidings.spine.notify.people.integrations import Integration, Integrations

router = APIRouter(prefix="/v1/integrations", tags=["integrations"])
_READ = desk(Role.MEMBER, Scope.EVENTS_READ)
_WRITE = desk(Role.MEMBER, Scope.EVENTS_WRITE)
_WRITE_BODY = desk(Role.MEMBER, Scope.EVENTS_WRITE, body=True)


@router.get("", operation_id="list_integrations", response_model=Listing[IntegrationDocument], responses=signed_in())
async def list_integrations(at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None) -> Response:
    """Your integrations, newest first."""
    me = await myself(at)
    page = await _integrations(at).list(me.id, at.position("integrations", cursor), limit)
    return at.page("integrations", page, shown_integration)


@router.post(
    "",
    operation_id="create_integration",
    status_code=201,
    response_model=Envelope[IntegrationDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(NewIntegrationBody, idempotent=True),
)
async def create_integration(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Keeps an Apprise URL under a name, which is yours alone, and with tags that it can be chosen by."""
    wanted = at.parsed(NewIntegrationBody)
    address = wanted.address(at.parts.url_refusal)

    async def act() -> dict[str, Any]:
        me = await myself(at)
        return shown_integration(await _integrations(at).create(me.id, wanted.name, address, wanted.tags))

    return await at.once(act, 201)


@router.get(
    "/{id:uuid}",
    operation_id="get_integration",
    response_model=Envelope[IntegrationDocument],
    responses=signed_in(),
)
async def get_integration(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """One of your integrations."""
    return answered({"data": shown_integration(await _mine(at, id))})


@router.patch(
    "/{id:uuid}",
    operation_id="change_integration",
    response_model=Envelope[IntegrationDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(IntegrationChangesBody),
)
async def change_integration(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Changes what is given. What waits for one that is turned off is skipped when its time comes."""
    changes = at.parsed(IntegrationChangesBody).changes(at.parts.url_refusal)
    changed = await _integrations(at).change((await myself(at)).id, id, changes)
    return answered({"data": shown_integration(changed)})


@router.delete(
    "/{id:uuid}",
    operation_id="remove_integration",
    status_code=204,
    response_class=Response,
    responses=signed_in(),
)
async def remove_integration(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Removes an integration. Subscriptions that chose it keep doing so, and are told nothing there."""
    await _integrations(at).remove((await myself(at)).id, id)
    return Response(status_code=204)


@router.post(
    "/{id:uuid}/test",
    operation_id="try_integration",
    status_code=202,
    response_model=Envelope[IntegrationTriedDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def try_integration(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Sends a test there. What becomes of it is seen where `follow` says."""

    async def act() -> dict[str, Any]:
        me, integration = (await myself(at)).id, await _mine(at, id)
        trials = Trials(at.connection, at.tenant)
        delivery = await trials.send_to(id, integration.name, me, await _provider(at))
        return {"deliveryId": delivery, "follow": f"/v1/integrations/{id}/tests/{delivery}"}

    return await at.once(act, 202)


@router.get(
    "/{id:uuid}/tests/{deliveryId:uuid}",
    operation_id="get_integration_test",
    response_model=Envelope[IntegrationTestDocument],
    responses=signed_in(),
)
async def get_integration_test(
    id: UUID, delivery_id: Annotated[UUID, Path(alias="deliveryId")], at: Annotated[Desk, _READ]
) -> Response:
    """What became of a test, with every attempt and what the service answered."""
    await _mine(at, id)
    return answered({"data": shown_test(*await Trials(at.connection, at.tenant).outcome(id, delivery_id))})


async def _mine(at: Desk, id: UUID) -> Integration:
    return await _integrations(at).get((await myself(at)).id, id)


async def _provider(at: Desk) -> Provider:
    default = default_providers(at.parts.settings)[Channel.APPRISE]
    return await Providers(at.connection, at.tenant, at.parts.configurations).used(Channel.APPRISE, default)


def _integrations(at: Desk) -> Integrations:
    return Integrations(at.connection, at.tenant, at.parts.address_vault)
