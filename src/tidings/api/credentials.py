"""Who a request says it is from: bearer token, API key, session cookie or, where switched on, development headers."""

from __future__ import annotations

import re
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any

from tidings.api.exchange import Exchange
from tidings.app.api import ApiParts
from tidings.kit.errors import Forbidden, NotFound, Unauthenticated
from tidings.spine.access.identity import Claims, Credential, KeyCredential, Role, SessionCredential
from tidings.spine.access.keys import PREFIX

COOKIE = "tidings_session"
_SAFE = {"GET", "HEAD", "OPTIONS"}
_LONGEST = 8192
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_SUBJECT = re.compile(r"[\x21-\x7e]{1,255}")


class Forged(Forbidden):
    """A request with a session cookie must carry the session's X-CSRF-Token."""

    slug = "csrf"


async def credential_of(scope: Any, exchange: Exchange, parts: ApiParts) -> Credential:
    """The request's credential, its form checked; `Unauthenticated` where there is none that could be good."""
    authorization = exchange.header(b"authorization")
    if authorization is not None:
        return await _bearer(authorization, parts)
    token = session_token(exchange)
    if token is not None:
        _check_csrf(scope, exchange, parts, token)
        return SessionCredential(token)
    if parts.settings.auth.development_headers and b"x-tidings-user" in exchange.headers:
        return _development(scope, exchange)
    raise Unauthenticated


async def _bearer(authorization: str, parts: ApiParts) -> Credential:
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token or len(token) > _LONGEST:
        raise Unauthenticated
    if token.startswith(PREFIX):
        return KeyCredential(token)
    return await parts.verifier.verify(token)


def session_token(exchange: Exchange) -> str | None:
    cookies = exchange.header(b"cookie")
    if cookies is None:
        return None
    try:
        morsel = SimpleCookie(cookies[:_LONGEST]).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel is not None and morsel.value else None


def _check_csrf(scope: Any, exchange: Exchange, parts: ApiParts, token: str) -> None:
    if scope["method"] in _SAFE:
        return
    given = exchange.header(b"x-csrf-token")
    if given is None or not parts.sign_in.is_csrf_token(token, given):
        raise Forged


def _development(scope: Any, exchange: Exchange) -> Claims:
    """Only for a client on this machine that no proxy speaks for."""
    forwarded = b"x-forwarded-for" in exchange.headers or b"forwarded" in exchange.headers
    if forwarded or not _is_loopback(scope):
        raise Unauthenticated
    subject = exchange.header(b"x-tidings-user") or ""
    tenant = exchange.header(b"x-tidings-tenant") or "default"
    role = exchange.header(b"x-tidings-role") or Role.MEMBER
    if not _SUBJECT.fullmatch(subject) or not _SLUG.fullmatch(tenant) or role not in set(Role):
        raise Unauthenticated
    return Claims(subject, tenant, Role(role))


def _is_loopback(scope: Any) -> bool:
    try:
        return ip_address(client_address(scope)).is_loopback
    except ValueError:
        return False


def client_address(scope: Any) -> str:
    """Where the connection comes from. Nothing that a header says about it is believed."""
    client = scope.get("client")
    return client[0] if client else "unknown"


def wanted_tenant(exchange: Exchange) -> str | None:
    """The tenant that an operator asks to act in."""
    wanted = exchange.header(b"tidings-tenant")
    if wanted is not None and not _SLUG.fullmatch(wanted):
        raise NotFound("There is no such tenant.")
    return wanted
