"""What a signed-in request works with: who asks, and one transaction that sees their tenant and nothing else."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, TypeVar
from urllib.parse import quote

from fastapi import Depends, Request
from pydantic import BaseModel
from starlette.responses import Response

from tidings.api.bodies import parsed, read_body
from tidings.api.credentials import credential_of, wanted_tenant
from tidings.api.exchange import Exchange, exchange_of
from tidings.api.problems import MEDIA_TYPE as PROBLEM
from tidings.api.problems import problem
from tidings.app.api import ApiParts
from tidings.app.public import public_url
from tidings.kit import db
from tidings.kit.errors import Fault, Forbidden, TidingsError, ValidationFailed
from tidings.kit.json_input import canonical, parse_json
from tidings.kit.json_output import dump
from tidings.kit.paging import Page
from tidings.spine.access.idempotency import HEADER, Replies, Reply, fingerprint
from tidings.spine.access.identity import Credential, Identity, Role, Scope
from tidings.spine.access.limiter import Allowance

JSON = "application/json"
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_MOST_FAULTS = 20
M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")


def parts_of(request: Request) -> ApiParts:
    parts: ApiParts = request.app.state.parts
    return parts


@dataclass(frozen=True)
class Desk:
    """One request of somebody who was let in, in its transaction. Commits when the route returns, before the reply."""

    request: Request
    parts: ApiParts
    identity: Identity
    connection: db.Connection
    body: bytes = field(repr=False)

    @property
    def tenant(self) -> str:
        return self.identity.tenant

    def parsed(self, model: type[M]) -> M:
        return parsed(model, self.body)

    def position(self, listing: str, cursor: str | None) -> Any:
        return None if cursor is None else self.parts.cursors.read(listing, self.tenant, cursor)

    def page(self, listing: str, page: Page[T], shown: Callable[[T], Any]) -> Response:
        position = page.next_position
        cursor = None if position is None else self.parts.cursors.write(listing, self.tenant, position)
        pagination = {"nextCursor": cursor, "hasMore": cursor is not None}
        return answered({"data": [shown(item) for item in page.items], "pagination": pagination})

    async def once(self, act: Callable[[], Awaitable[Any]], status: int = 200) -> Response:
        """Does `act` and replies with what it gives; the same Idempotency-Key again gets that reply, nothing more.

        An error that is given, not raised, is the reply as well: what was written on the way to it commits.
        """
        key = idempotency_key(exchange_of(self.request.scope))
        if key is None:
            return self._reply(await act(), status)
        replies = Replies(self.connection, self.parts.vault, self.tenant, self.identity.actor)
        content = canonical(parse_json(self.body)) if self.body else b""
        same = fingerprint(self.request.method, self._address(), content)
        reply = await replies.claim(key, same, self.parts.settings.api.idempotency_window)
        if reply is not None:
            media_type = JSON if reply.status < 400 else PROBLEM
            return Response(reply.body, reply.status, {"Idempotent-Replayed": "true"}, media_type)
        answer = self._reply(await act(), status)
        await replies.keep(key, Reply(answer.status_code, bytes(answer.body)))
        return answer

    def _reply(self, given: Any, status: int) -> Response:
        if isinstance(given, TidingsError):
            return problem(given, public_url(self.parts.settings), quote(self.request.url.path))
        return answered({"data": given}, status)

    def _address(self) -> str:
        query = self.request.scope["query_string"].decode("latin-1")
        return f"{self.request.url.path}?{query}" if query else self.request.url.path


def answered(value: Any, status: int = 200) -> Response:
    return Response(dump(value), status, media_type=JSON)


def desk(role: Role, scope: Scope | None, *, body: bool = False) -> Any:
    """The dependency of a route: lets in who has the role and, with a key, the scope; others get 401 or 403."""

    async def open_desk(request: Request) -> AsyncIterator[Desk]:
        parts = parts_of(request)
        content = await read_body(request, parts.settings.api.max_body) if body else b""
        identity = await entered(request, role, scope)
        async with (
            db.acquired(parts.pool, parts.patience) as connection,
            db.as_tenant(connection, identity.tenant),
        ):
            yield Desk(request, parts, identity, connection, content)

    open_desk.__tidings_guard__ = (role, scope)  # type: ignore[attr-defined]
    return Depends(open_desk, scope="function")


async def entered(request: Request, role: Role, scope: Scope | None) -> Identity:
    """Who asks, if they may: for a route that opens transactions of its own."""
    parts, exchange = parts_of(request), exchange_of(request.scope)
    credential = await credential_of(request.scope, exchange, parts)
    identity = await let_in(exchange, parts, credential, role, scope)
    _refuse_unknown_parameters(request)
    return identity


async def let_in(
    exchange: Exchange,
    parts: ApiParts,
    credential: Credential,
    role: Role,
    scope: Scope | None,
) -> Identity:
    """Who is there, after their rate, role and scope were checked. Whoever is refused still hears about their rate."""
    admission = await parts.doorkeeper.admit(credential, wanted_tenant(exchange))
    exchange.tenant = admission.identity.tenant
    exchange.added.extend(_rate_headers(admission.allowance))
    admission.allowance.require()
    if not admission.identity.may(role, scope):
        raise _forbidden(admission.identity, role, scope)
    return admission.identity


def _forbidden(identity: Identity, role: Role, scope: Scope | None) -> Forbidden:
    if not identity.role.reaches(role):
        return Forbidden(f"This needs the role {role} or above; yours is {identity.role}.")
    return Forbidden(f"This API key lacks the scope {scope}.")


def _refuse_unknown_parameters(request: Request) -> None:
    """A filter that is misspelt would show everything."""
    if not request.scope["query_string"]:
        return
    known = [parameter.alias for parameter in request.scope["route"].dependant.query_params]
    unknown = [name[:100] for name in request.query_params if name not in known][:_MOST_FAULTS]
    faults = tuple(Fault(name, _unknown(name, known)) for name in unknown)
    if faults:
        raise ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), faults)


def _unknown(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return "is not known here" + (f"; did you mean {near[0]}?" if near else "")


def idempotency_key(exchange: Exchange) -> str | None:
    key = exchange.header(b"idempotency-key")
    if key is not None and not _IDEMPOTENCY_KEY.fullmatch(key):
        message = "must be 1 to 255 visible ASCII characters"
        raise ValidationFailed(f"{HEADER}: {message}", (Fault(HEADER, message),))
    return key


def _rate_headers(allowance: Allowance) -> list[tuple[bytes, bytes]]:
    return [
        (b"x-ratelimit-limit", b"%d" % allowance.limit),
        (b"x-ratelimit-remaining", b"%d" % allowance.remaining),
        (b"x-ratelimit-reset", b"%d" % allowance.reset_seconds),
    ]
