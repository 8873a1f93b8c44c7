"""Pages for people without a login who hear of an event. Only a POST changes anything: scanners of mail open every
link."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from tidings.api.desk import parts_of
from tidings.api.exchange import exchange_of
from tidings.api.forms import sent_fields
from tidings.api.guest_page import GuestPages, wrong_page
from tidings.api.strangers import limit_stranger
from tidings.api.unsubscribe_words import language_of
from tidings.kit import db
from tidings.kit.errors import Conflict, NotFound
from tidings.modules.events.guests import Guest, Guests, Seat
from tidings.modules.events.links import CONFIRM, JOIN, PATH, PERSONAL, Link
from tidings.modules.events.model import Status
from tidings.spine.access.limiter import Limiter
from tidings.spine.notify.people.addresses import of_email
from tidings.spine.notify.people.fields import person_name

router = APIRouter(include_in_schema=False)
_MAILS = 5
_PERIOD = timedelta(hours=1)
_READING = ["GET", "HEAD"]


@dataclass(frozen=True)
class _Desk:
    """A request behind a link, in a transaction of the link's tenant."""

    link: Link
    guests: Guests
    seat: Seat
    pages: GuestPages

    @property
    def is_open(self) -> bool:
        return bool(self.seat.event["status"] == Status.ACTIVE)


@router.api_route(PATH + "/join/{token}", methods=_READING)
async def look_at_event(request: Request, token: str) -> Response:
    """The event, with a form to join it."""
    async with _behind(request, JOIN, token) as at:
        if at is None:
            return _wrong(request)
        return at.pages.joining() if at.is_open else at.pages.closed(200)


@router.post(PATH + "/join/{token}")
async def ask_to_join(request: Request, token: str) -> Response:
    """Sends a mail with a link. The answer is the same, whoever is known here. Who asks twice at once does so one after
    the other, by the bucket: else they would be two people."""
    given = dict(await sent_fields(request))
    async with _behind(request, JOIN, token) as at:
        if at is None:
            return _wrong(request)
        guest = _guest(at, given)
        if isinstance(guest, str):
            return at.pages.joining(guest, given)
        bucket = f"event mails:{at.link.tenant}:{guest.email.fingerprint}"
        if not (await Limiter(at.guests.connection).take(bucket, _MAILS, _PERIOD)).allowed:
            return at.pages.slow()
        try:
            await at.guests.ask(at.link.event_id, guest)
        except Conflict:
            return at.pages.closed(409)
        return at.pages.asked()


@router.api_route(PATH + "/confirm/{token}", methods=_READING)
async def look_at_confirmation(request: Request, token: str) -> Response:
    async with _behind(request, CONFIRM, token) as at:
        if at is None or at.seat.subscription_id is None:
            return _wrong(request)
        if at.seat.joined:
            return at.pages.joined()
        return at.pages.confirming() if at.is_open else at.pages.closed(200)


@router.api_route(PATH + "/event/{token}", methods=_READING)
async def look_at_seat(request: Request, token: str) -> Response:
    async with _behind(request, PERSONAL, token) as at:
        if at is None or at.seat.person is None:
            return _wrong(request)
        if not at.is_open:
            return at.pages.closed(200)
        return at.pages.joined() if at.seat.joined else at.pages.left()


@router.post(PATH + "/confirm/{token}")
async def confirm(request: Request, token: str) -> Response:
    return await _chosen(request, CONFIRM, token)


@router.post(PATH + "/event/{token}")
async def choose(request: Request, token: str) -> Response:
    return await _chosen(request, PERSONAL, token)


async def _chosen(request: Request, kind: str, token: str) -> Response:
    """Confirms, leaves or comes back; done twice, it is done once."""
    choice = dict(await sent_fields(request)).get("choice")
    async with _behind(request, kind, token) as at:
        if at is None or at.seat.subscription_id is None or choice not in {"confirm", "leave", "join"}:
            return _wrong(request)
        if choice == "leave":
            await at.guests.leave(at.link.event_id, at.link.person_id)
            return at.pages.left()
        try:
            await at.guests.confirm(at.link.event_id, at.link.person_id)
        except Conflict:
            return at.pages.closed(409)
        return at.pages.joined()


@asynccontextmanager
async def _behind(request: Request, kind: str, token: str) -> AsyncIterator[_Desk | None]:
    """None for a link that leads nowhere."""
    await limit_stranger(request, "guests")
    parts = parts_of(request)
    link = parts.event_links.read(kind, token)
    if link is None:
        yield None
        return
    async with db.acquired(parts.pool, parts.patience) as connection, db.as_tenant(connection, link.tenant):
        exchange_of(request.scope).tenant = link.tenant
        guests = Guests(connection, link.tenant)
        try:
            seat = await guests.seat(link.event_id, link.person_id)
        except NotFound:
            seat = None
        yield None if seat is None else _Desk(link, guests, seat, _pages(request, seat))


def _pages(request: Request, seat: Seat) -> GuestPages:
    person = seat.person or {}
    return GuestPages(_language(request, person.get("locale")), seat.event, person.get("timezone"))


def _guest(at: _Desk, given: dict[str, str]) -> Guest | str:
    """Who asks, or what is wrong with what they wrote."""
    try:
        email = of_email(given.get("email", "").strip())
    except ValueError:
        return at.pages.words.wrong_email
    try:
        name = person_name(given.get("name", ""))
    except ValueError:
        return at.pages.words.wrong_name
    return Guest(email, name, at.pages.language, None)


def _wrong(request: Request) -> Response:
    return wrong_page(_language(request, None))


def _language(request: Request, locale: str | None) -> str:
    return language_of(locale, exchange_of(request.scope).header(b"accept-language"))
