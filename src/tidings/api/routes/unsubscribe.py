"""The page behind an unsubscribe link, and the one click of RFC 8058. Only a POST changes anything: scanners of mail
open every link."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from tidings.api.desk import parts_of
from tidings.api.exchange import exchange_of
from tidings.api.forms import sent_fields
from tidings.api.strangers import limit_stranger
from tidings.api.unsubscribe_page import standing_page, wrong_page
from tidings.api.unsubscribe_words import language_of
from tidings.kit import db
from tidings.spine.notify.unsubscribing import PATH, Choice, Standing, Unsubscribing

router = APIRouter(include_in_schema=False)
_ONE_CLICK = ("List-Unsubscribe", "One-Click")
_NO_SUCH = 400
_REQUIRED = 409


@router.api_route(PATH + "/{token}", methods=["GET", "HEAD"])
async def look(request: Request, token: str) -> Response:
    """How it stands, with what can be chosen. Changes nothing."""
    await limit_stranger(request, "unsubscribe")
    standing = await _standing(request, token, None)
    return _wrong(request) if standing is None else standing_page(standing, _language(request, standing))


@router.post(PATH + "/{token}")
async def choose(request: Request, token: str) -> Response:
    """Does what was chosen; with the one click of a mail program, nothing more of this category comes by e-mail."""
    await limit_stranger(request, "unsubscribe")
    choice = chosen(await sent_fields(request))
    standing = await _standing(request, token, choice)
    if standing is None:
        return _wrong(request)
    refused = choice is Choice.STOP and standing.required
    status = _NO_SUCH if choice is None else _REQUIRED if refused else 200
    return standing_page(standing, _language(request, standing), status)


def chosen(fields: list[tuple[str, str]]) -> Choice | None:
    """What a form asks for; None where it asks for nothing that there is."""
    if _ONE_CLICK in fields:
        return Choice.STOP
    wanted = dict(fields).get("choice")
    return next((choice for choice in Choice if choice == wanted), None)


async def _standing(request: Request, token: str, choice: Choice | None) -> Standing | None:
    """How it stands after what was chosen, if anything was; None for a link that leads nowhere."""
    parts = parts_of(request)
    link = parts.unsubscribe_links.read(token)
    if link is None:
        return None
    async with db.acquired(parts.pool, parts.patience) as connection, db.as_tenant(connection, link.tenant):
        exchange_of(request.scope).tenant = link.tenant
        unsubscribing = Unsubscribing(connection, link)
        return await (unsubscribing.standing() if choice is None else unsubscribing.choose(choice))


def _wrong(request: Request) -> Response:
    return wrong_page(language_of(None, exchange_of(request.scope).header(b"accept-language")))


def _language(request: Request, standing: Standing) -> str:
    return language_of(standing.locale, exchange_of(request.scope).header(b"accept-language"))
