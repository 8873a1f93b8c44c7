"""Who may open a socket, and for what: as over HTTP, except that a browser's cookie needs our own Origin, and that a
browser may send a token as a subprotocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

from tidings.api.credentials import credential_of, wanted_tenant
from tidings.api.desk import let_in
from tidings.api.exchange import Exchange, exchange_of
from tidings.api.live.socket import Room, Ticket
from tidings.api.problems import BadRequest
from tidings.app.api import ApiParts
from tidings.kit import db
from tidings.kit.errors import Forbidden, NotFound
from tidings.spine.access.admission import Question, as_uuid
from tidings.spine.access.identity import Claims, Credential, Identity, Role, Scope, SessionCredential
from tidings.spine.access.tokens import expiry_of
from tidings.spine.notify.ownership import person_of

SUBPROTOCOL = "tidings"
BEARER = "tidings.bearer."
_PORTS = {"http": 80, "https": 443}


async def entered(scope: Any, parts: ApiParts, origin: str) -> tuple[Room, Ticket]:
    """The room that a handshake opens, and what it was opened with. Raises what HTTP would answer."""
    exchange = exchange_of(scope)
    wanted = _person(scope["query_string"].decode("latin-1"))
    _take_bearer(exchange, scope["subprotocols"])
    credential = await credential_of(scope, exchange, parts)
    if isinstance(credential, SessionCredential):
        _check_origin(exchange, origin)
    identity = await let_in(exchange, parts, credential, Role.MEMBER, None)
    room = await _room(identity, parts, wanted)
    question = Question(credential, wanted_tenant(exchange))
    return room, Ticket(question, _expiry(credential, exchange), may_watch(identity))


def may_listen(identity: Identity) -> bool:
    """To an inbox."""
    return identity.may(Role.MEMBER, Scope.INBOX)


def may_watch(identity: Identity) -> bool:
    """What moves in the tenant, and what was changed there."""
    return identity.may(Role.MEMBER, Scope.OUTBOX_READ)


async def _room(identity: Identity, parts: ApiParts, wanted: UUID | None) -> Room:
    """That of the person asked for, else of the one whose login it is, else one without an inbox."""
    if not may_listen(identity):
        if wanted is not None or not may_watch(identity):
            raise Forbidden(f"This API key lacks the scope {Scope.INBOX}.")
        return Room(identity.tenant, None, identity.actor)
    async with db.acquired(parts.pool, parts.patience) as connection, db.as_tenant(connection, identity.tenant):
        try:
            return Room(identity.tenant, await person_of(connection, identity, wanted))
        except NotFound:
            if wanted is not None:
                raise
            return Room(identity.tenant, None, identity.actor)


def origin_of(url: str) -> str:
    """What a browser calls the origin of a page at this address."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = "" if parts.port in (None, _PORTS.get(parts.scheme)) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def _person(query: str) -> UUID | None:
    """The only parameter. Anything else may be a token, and the addresses of requests are kept by every proxy."""
    given = parse_qsl(query, keep_blank_values=True)
    if any(name != "person" for name, _ in given) or len(given) > 1:
        raise BadRequest("The address takes `person` and nothing else; a token is never sent in it.")
    if not given:
        return None
    if (wanted := as_uuid(given[0][1])) is None:
        raise BadRequest("`person` must be the id of a person.")
    return wanted


def _take_bearer(exchange: Exchange, offered: Sequence[str]) -> None:
    tokens = [protocol.removeprefix(BEARER) for protocol in offered if protocol.startswith(BEARER)]
    if not tokens:
        return
    if SUBPROTOCOL not in offered:
        raise BadRequest(f"Offer the subprotocol `{SUBPROTOCOL}` too: the one with the token is never sent back.")
    if len(tokens) > 1 or b"authorization" in exchange.headers:
        raise BadRequest("Send one token, once.")
    exchange.headers[b"authorization"] = b"Bearer " + tokens[0].encode("latin-1", "replace")


def _check_origin(exchange: Exchange, origin: str) -> None:
    """A browser sends the cookie whoever's page opens the socket; only the Origin tells which page that is."""
    if exchange.header(b"origin") != origin:
        raise Forbidden("A socket with a session cookie is opened by our own pages only.")


def _expiry(credential: Credential, exchange: Exchange) -> float | None:
    authorization = exchange.header(b"authorization")
    if not isinstance(credential, Claims) or authorization is None:
        return None
    return expiry_of(authorization.partition(" ")[2])
