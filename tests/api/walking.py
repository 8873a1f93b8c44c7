"""Every way into the API, from the application itself: what is added to it is walked too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from starlette.routing import Route, WebSocketRoute

SOCKET = "SOCKET"
_GUESTS = ("join", "confirm", "event")  # what they may do, their link says
PUBLIC = {
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/metrics"),
    ("GET", "/docs"),
    ("GET", "/openapi.json"),
    ("HEAD", "/openapi.json"),
    ("GET", "/errors/{name}"),
    ("GET", "/frame"),
    ("POST", "/v1/session"),
    ("POST", "/v1/invitations/look"),  # whose it is, the token in the body says
    ("POST", "/v1/invitations/accept"),
    ("GET", "/v1/receipts/{providerId}"),
    ("POST", "/v1/receipts/{providerId}"),
    ("GET", "/unsubscribe/{token}"),
    ("HEAD", "/unsubscribe/{token}"),
    ("POST", "/unsubscribe/{token}"),
    ("GET", "/calendar/{token}.ics"),  # the address is the secret
    ("HEAD", "/calendar/{token}.ics"),
    *((method, "/act/{token}") for method in ("GET", "HEAD", "POST")),  # what it may do, the link says
    *((method, f"/guest/{page}/{{token}}") for page in _GUESTS for method in ("GET", "HEAD", "POST")),
}
"""What nobody signs in for. A route that is added here had better give a reason for it."""


def routes_of(app: Any) -> set[tuple[str, str]]:
    """Method and path of each; whatever else is mounted is an error."""
    found: set[tuple[str, str]] = set()
    for route in app.routes:
        if isinstance(route, WebSocketRoute):
            found.add((SOCKET, route.path_format))
        else:
            assert isinstance(route, Route), route
            found |= {(method, route.path_format) for method in route.methods or ()}
    return found


@dataclass(frozen=True)
class Guard:
    """The least that it takes: a role, and with a key a scope; None where any key will do."""

    role: str
    scope: str | None


_READING = {"GET", "HEAD"}
_OWN_THINGS: dict[str, Guard] = {  # the longest that fits counts
    "/v1/session": Guard("member", None),
    "/v1/keys": Guard("member", "keys:write"),
    "/v1/inbox": Guard("member", "inbox"),
    "/v1/ws": Guard("member", None),  # one of two scopes: tested in test_live
    "/v1/notifications": Guard("member", "inbox"),
    "/v1/people/me": Guard("member", "inbox"),
    "/v1/reservations/{reservationId}/history": Guard("admin", "reservations:read"),
    "/v1/reservations/{reservationId}/reopen": Guard("admin", "reservations:write"),
    "/v1/organizations/subdomains/{subdomain}": Guard("admin", "organizations:read"),
    "/v1/organizations/bootstrap": Guard("admin", "organizations:write"),
    "/v1/organizations/bootstrap/{organizationId}": Guard("member", "organizations:write"),
    "/v1/organizations/bootstrap/{organizationId}/status": Guard("member", "organizations:read"),
    "/v1/schedules/preview": Guard("member", "reports:read"),
    "/v1/why": Guard("admin", "notices:read"),
    "/v1/forecast": Guard("admin", "notices:read"),
    "/v1/facts/{id}/trace": Guard("admin", "notices:read"),
}
_READ_OR_WRITE: dict[str, tuple[str, str, str]] = {  # whose scopes, who reads, who writes
    "/v1/facts": ("facts", "member", "member"),
    "/v1/outbox": ("outbox", "member", "admin"),
    "/v1/people": ("people", "admin", "admin"),
    "/v1/groups": ("people", "admin", "admin"),
    "/v1/categories": ("people", "member", "admin"),
    "/v1/suppressions": ("people", "admin", "admin"),
    "/v1/rules": ("rules", "admin", "admin"),
    "/v1/templates": ("rules", "admin", "admin"),
    "/v1/notices": ("notices", "admin", "admin"),
    "/v1/deliveries": ("notices", "admin", "admin"),
    "/v1/sandbox": ("notices", "admin", "admin"),
    "/v1/providers": ("providers", "admin", "admin"),
    "/v1/provider-types": ("providers", "admin", "admin"),
    "/v1/users": ("users", "admin", "admin"),
    "/v1/integrations": ("events", "member", "member"),
    "/v1/events": ("events", "member", "member"),
    "/v1/calendar-feed": ("events", "member", "member"),
    "/v1/overview": ("outbox", "member", "member"),
    "/v1/reservations": ("reservations", "member", "member"),
    "/v1/restaurants": ("reservations", "member", "admin"),
    "/v1/agencies": ("reservations", "member", "admin"),
    "/v1/organizations": ("organizations", "member", "member"),
    "/v1/schedules": ("reports", "member", "member"),
    "/v1/report-types": ("reports", "member", "member"),
    "/v1/schedule-templates": ("reports", "member", "member"),
    "/v1/usual-channels": ("people", "admin", "admin"),
}
_NUMBERED = ("event", "subscription", "reservation", "restaurant", "agency", "schedule", "run")
NO_KEYS = {("POST", "/v1/users/{id}/link")}
"""What no key may, whatever its scopes: a link opens a session."""


def guard_of(method: str, path: str) -> Guard:
    """What it should take. KeyError for a route that nobody has thought about."""
    fitting = [known for known in (*_OWN_THINGS, *_READ_OR_WRITE) if re.match(rf"{re.escape(known)}(/|$|\.ics$)", path)]
    longest = max(fitting, key=len, default=path)
    if longest in _OWN_THINGS:
        return _OWN_THINGS[longest]
    scopes, reads, writes = _READ_OR_WRITE[longest]
    return Guard(reads, f"{scopes}:read") if method in _READING else Guard(writes, f"{scopes}:write")


def somewhere(path: str) -> str:
    """An address of this form, of what is not there."""
    named = path.replace("{channel}", "sms").replace("{subdomain}", "nowhere")
    plain = re.sub(rf"\{{({'|'.join(_NUMBERED)})Id\}}", "77199999", named)
    return re.sub(r"\{(id|[a-zA-Z]+Id)\}", lambda _: str(uuid4()), plain).replace("{", "").replace("}", "")
