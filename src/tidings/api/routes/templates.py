"""Templates over HTTP: a tenant's own, in versions, and those that come with Tidings."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter
from starlette.responses import Response

from tidings.api.bodies.templates import (
    ChannelInPath,
    LocaleInQuery,
    NameInPath,
    PreviewBody,
    TemplateBody,
    VersionInQuery,
    spelt,
)
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.rules import PreviewDocument, TemplateDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.rules import shown_template
from tidings.kit.errors import ValidationFailed
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.previewing import Previews, Wanted
from tidings.spine.notify.template_store import TemplateKey, Templates
from tidings.spine.notify.templates.checking import Checker
from tidings.spine.notify.templates.sources import Source

router = APIRouter(prefix="/v1/templates", tags=["templates"])
_READ = desk(Role.ADMIN, Scope.RULES_READ)
_WRITE = desk(Role.ADMIN, Scope.RULES_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.RULES_WRITE, body=True)
_ONE = "/{name}/{channel}"


@router.get("", operation_id="list_templates", response_model=Listing[TemplateDocument], responses=signed_in())
async def list_templates(at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None) -> Response:
    """The templates in use, by name, channel and language: yours, and ours where you have none."""
    position = at.position("templates", cursor)
    after = None if position is None else TemplateKey(*position)
    return at.page("templates", await _templates(at).list(after, limit), shown_template)


@router.post(
    "/preview",
    operation_id="preview_template",
    response_model=Envelope[PreviewDocument],
    responses=signed_in(415),
    openapi_extra=takes(PreviewBody),
)
async def preview_template(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """What one person would get: of a template that is saved, or of one that is not yet. Nothing is sent."""
    body = at.parsed(PreviewBody)
    wanted = Wanted(
        body.channel,
        body.name,
        None if body.source is None else _source(body.source),
        body.locale,
        body.timezone,
        body.fact_id,
        body.data,
        body.person_id,
        body.notice.model_dump(),
    )
    shown = await Previews(at.connection, at.tenant, at.parts.renderer).preview(wanted)
    return answered({"data": {"subject": shown.subject, "text": shown.text, "html": shown.html}})


@router.get(_ONE, operation_id="get_template", response_model=Envelope[TemplateDocument], responses=signed_in())
async def get_template(
    name: NameInPath,
    channel: ChannelInPath,
    at: Annotated[Desk, _READ],
    locale: LocaleInQuery = None,
    version: VersionInQuery = None,
) -> Response:
    """The template in use for this channel and language, or one of its versions."""
    found = await _templates(at).get(TemplateKey(name, channel, spelt(locale)), version)
    return answered({"data": shown_template(found)})


@router.put(
    _ONE,
    operation_id="save_template",
    response_model=Envelope[TemplateDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(TemplateBody),
)
async def save_template(
    name: NameInPath, channel: ChannelInPath, at: Annotated[Desk, _WRITE_BODY], locale: LocaleInQuery = None
) -> Response:
    """Saves a template as its next version. Notices that were made before are told in the one of their time."""
    source = _source(at.parsed(TemplateBody))
    if faults := await asyncio.to_thread(Checker(at.parts.renderer).faults, source, channel):
        raise ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), tuple(faults))
    saved = await _templates(at).save(TemplateKey(name, channel, spelt(locale)), source, at.identity.actor)
    return answered({"data": shown_template(saved)})


@router.delete(_ONE, operation_id="retire_template", status_code=204, response_class=Response, responses=signed_in(409))
async def retire_template(
    name: NameInPath, channel: ChannelInPath, at: Annotated[Desk, _WRITE], locale: LocaleInQuery = None
) -> Response:
    """Retires your template: from now on the next nearest is used, at last ours. Its versions stay."""
    await _templates(at).retire(TemplateKey(name, channel, spelt(locale)), at.identity.actor)
    return Response(status_code=204)


@router.get(
    _ONE + "/versions",
    operation_id="list_template_versions",
    response_model=Listing[TemplateDocument],
    responses=signed_in(),
)
async def list_template_versions(
    name: NameInPath,
    channel: ChannelInPath,
    at: Annotated[Desk, _READ],
    locale: LocaleInQuery = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """Every version of your template, newest first."""
    key = TemplateKey(name, channel, spelt(locale))
    listing = f"versions of template {key.name} {key.channel} {key.locale}"
    return at.page(listing, await _templates(at).versions(key, at.position(listing, cursor), limit), shown_template)


def _templates(at: Desk) -> Templates:
    return Templates(at.connection, at.tenant)


def _source(body: TemplateBody) -> Source:
    return Source(body.subject, body.markup, body.text)
