"""Providers over HTTP: what each channel sends through. Secrets go in, and never come out."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.responses import Response

from tidings.api.bodies.providers import NewProviderBody, ProviderChangesBody, ProviderTrialBody, limits_of
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.deliveries import ChannelName, ProviderDocument, ProviderTypeDocument, TriedDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.provider_types import shown_types
from tidings.api.shown.deliveries import shown_provider
from tidings.api.versions import IF_MATCH, wanted_version, with_version
from tidings.app.public import public_url
from tidings.spine.access.identity import Role, Scope
from tidings.spine.channels.port import Channel
from tidings.spine.delivery.providers import Provider, Providers
from tidings.spine.delivery.receipts.receiving import TELLERS
from tidings.spine.delivery.trying import Trials

router = APIRouter(tags=["providers"])
_PATH = "/v1/providers"
_READ = desk(Role.ADMIN, Scope.PROVIDERS_READ)
_WRITE = desk(Role.ADMIN, Scope.PROVIDERS_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.PROVIDERS_WRITE, body=True)


@router.get(
    "/v1/provider-types",
    operation_id="list_provider_types",
    response_model=Envelope[list[ProviderTypeDocument]],
    responses=signed_in(),
)
async def list_provider_types(at: Annotated[Desk, _READ]) -> Response:
    """What kinds of providers there are, and what each has to be told."""
    return answered({"data": shown_types()})


@router.get(
    _PATH, operation_id="list_providers", response_model=Envelope[list[ProviderDocument]], responses=signed_in()
)
async def list_providers(
    at: Annotated[Desk, _READ], channel: Annotated[ChannelName | None, Query()] = None
) -> Response:
    """The providers of your tenant, in the order in which each channel uses them."""
    found = await _providers(at).list(None if channel is None else Channel(channel))
    return answered({"data": [_shown(at, provider) for provider in found]})


@router.post(
    _PATH,
    operation_id="create_provider",
    status_code=201,
    response_model=Envelope[ProviderDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(NewProviderBody, idempotent=True),
)
async def create_provider(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Sets a provider up."""
    wanted = at.parsed(NewProviderBody).wanted()

    async def act() -> dict[str, Any]:
        return _shown(at, await _providers(at).create(wanted))

    return await at.once(act, 201)


@router.get(
    _PATH + "/{id:uuid}",
    operation_id="get_provider",
    response_model=Envelope[ProviderDocument],
    responses=signed_in(),
)
async def get_provider(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """One provider, with the state of its circuit."""
    return with_version(_shown(at, await _providers(at).get(id)))


@router.patch(
    _PATH + "/{id:uuid}",
    operation_id="change_provider",
    response_model=Envelope[ProviderDocument],
    responses=signed_in(409, 412, 415),
    openapi_extra=takes(ProviderChangesBody) | {"parameters": [IF_MATCH]},
)
async def change_provider(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Changes what is given; workers use it from their next send on. The last write wins, unless `If-Match` is sent."""
    changes = at.parsed(ProviderChangesBody).model_dump(exclude_unset=True)
    config = changes.pop("config", None)
    changed = await _providers(at).change(id, limits_of(changes), config, wanted_version(at))
    return with_version(_shown(at, changed))


@router.delete(
    _PATH + "/{id:uuid}",
    operation_id="remove_provider",
    status_code=204,
    response_class=Response,
    responses=signed_in(409),
)
async def remove_provider(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Removes a provider and its secrets. What waits goes to the next of its channel; 409 if none could take it."""
    await _providers(at).remove(id)
    return Response(status_code=204)


@router.post(
    _PATH + "/{id:uuid}/close",
    operation_id="close_circuit",
    response_model=Envelope[ProviderDocument],
    responses=signed_in(),
    openapi_extra=takes(idempotent=True),
)
async def close_circuit(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Closes its circuit by hand: what waits behind it goes out at once."""

    async def act() -> dict[str, Any]:
        return _shown(at, await _providers(at).close(id))

    return await at.once(act)


@router.post(
    _PATH + "/{id:uuid}/test",
    operation_id="try_provider",
    status_code=202,
    response_model=Envelope[TriedDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(ProviderTrialBody, idempotent=True),
)
async def try_provider(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Sends a test through this provider, to a person's first address: of the provider, or of a template."""
    body = at.parsed(ProviderTrialBody)

    async def act() -> dict[str, Any]:
        provider = await _providers(at).get(id)
        trials = Trials(at.connection, at.tenant)
        return {"deliveryId": await trials.send(provider, body.person_id, body.template, body.data)}

    return await at.once(act, 202)


def _shown(at: Desk, provider: Provider) -> dict[str, Any]:
    url = f"{public_url(at.parts.settings)}/v1/receipts/{provider.id}" if provider.type in TELLERS else None
    return shown_provider(provider) | {"receiptsUrl": url}


def _providers(at: Desk) -> Providers:
    return Providers(at.connection, at.tenant, at.parts.configurations)
