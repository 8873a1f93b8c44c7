"""The page behind a button of a message, for whoever was asked to act. Only a POST changes anything: scanners of mail
open every link, and chats look at it to show what it is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from tidings.api.action_page import CHOICE, ActionPages
from tidings.api.desk import parts_of
from tidings.api.exchange import exchange_of
from tidings.api.forms import sent_fields
from tidings.api.guest_page import wrong_page
from tidings.api.strangers import limit_stranger
from tidings.api.unsubscribe_words import language_of
from tidings.app.modules import module_effects
from tidings.app.public import public_url
from tidings.kit import db
from tidings.kit.errors import Conflict, NotFound, ValidationFailed
from tidings.spine.notify.matters.asked import Asked, asked_by
from tidings.spine.notify.matters.links import CLICKS, PATH, ActionLink
from tidings.spine.notify.matters.model import Deed
from tidings.spine.notify.matters.settling import Handled, Matters

router = APIRouter(include_in_schema=False)
_NOTHING_CHOSEN = 400


@dataclass(frozen=True)
class _Desk:
    """A request behind a link, in a transaction of the link's tenant."""

    link: ActionLink
    asked: Asked
    connection: db.Connection
    pages: ActionPages

    @property
    def matters(self) -> Matters:
        return Matters(self.connection, self.link.tenant, module_effects())

    @property
    def is_over(self) -> bool:
        return self.link.until <= self.asked.now


@router.api_route(PATH + "/{token}", methods=["GET", "HEAD"])
async def look(request: Request, token: str) -> Response:
    """What it is about, with a button; or who was the first to act. Changes nothing."""
    async with _behind(request, token) as at:
        if at is None:
            return _wrong(request)
        if at.is_over:
            return _expired(request, at)
        settlement = await at.matters.settlement(at.asked.matter)
        return at.pages.asking(at.link.action) if settlement is None else at.pages.handled(settlement, 200)


@router.post(PATH + "/{token}")
async def act(request: Request, token: str) -> Response:
    """Settles the matter as the person whom the message was for, unless somebody was quicker; done twice, it is done
    once."""
    chosen = dict(await sent_fields(request)).get(CHOICE)
    async with _behind(request, token) as at:
        if at is None:
            return _wrong(request)
        if at.is_over:
            return _expired(request, at)
        if chosen != at.link.action:
            return at.pages.asking(at.link.action, _NOTHING_CHOSEN)
        try:
            return await _acted(at)
        except NotFound:  # it went meanwhile
            return _wrong(request)


async def _acted(at: _Desk) -> Response:
    link = at.link
    try:
        async with at.connection.transaction():  # what cannot be done is not settled either
            outcome = await at.matters.act(link.notification_id, at.asked.person_id, link.actor, Deed(link.action))
    except (Conflict, ValidationFailed) as error:
        return at.pages.refused(error.detail)
    if isinstance(outcome, Handled):
        return at.pages.handled(outcome.settlement, 409)
    return at.pages.done(outcome.settlement)


@asynccontextmanager
async def _behind(request: Request, token: str) -> AsyncIterator[_Desk | None]:
    """None for a link that leads nowhere."""
    await limit_stranger(request, "action links")
    parts = parts_of(request)
    link = parts.action_links.read(token)
    if link is None:
        yield None
        return
    async with db.acquired(parts.pool, parts.patience) as connection, db.as_tenant(connection, link.tenant):
        exchange_of(request.scope).tenant = link.tenant
        asked = await asked_by(connection, link.tenant, link.notification_id)
        if asked is None or link.action not in asked.actions or link.action not in CLICKS:
            yield None
            return
        yield _Desk(link, asked, connection, ActionPages(_language(request, asked.language), asked))


def _expired(request: Request, at: _Desk) -> Response:
    return at.pages.expired(f"{public_url(parts_of(request).settings)}/inbox")


def _wrong(request: Request) -> Response:
    return wrong_page(_language(request, None))


def _language(request: Request, locale: str | None) -> str:
    return language_of(locale, exchange_of(request.scope).header(b"accept-language"))
