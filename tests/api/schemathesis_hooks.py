"""What a schema cannot say, for schemathesis: a cursor is one that was given out, a key is used for one request,
a time is near enough, a mailbox, a timezone or a URL is one that there can be, a file has a header. Values that are
wrong on purpose are left as they are."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import schemathesis

_TIME = r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)"
_SOON = "2027-01-01T00:00:00Z"
_UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_NEAR: dict[str, tuple[str, Any]] = {
    "runAt": (_TIME, _SOON),
    "expiresAt": (_TIME, _SOON),
    "email": (r"[^\s@]+@[^\s@]+", "somebody@example.com"),
    "timezone": (r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*", "Europe/Rome"),
    "userId": (_UUID, None),
    "slackWebhook": (r"https?://[!-~]+", "https://hooks.example.com/in/7"),
    "url": (r"https?://[!-~]+", "https://hooks.example.com/in/7"),
    "secret": (r"whsec_[A-Za-z0-9+/]+=*", "whsec_" + "A" * 32),
    "appriseUrls": (r"[a-z][a-z0-9]*://[!-~]+", "ntfys://ntfy.example.com/topic"),
}
_ADDRESSES = {
    "email": "somebody@example.com",
    "phone": "+390612345678",
    "push": "token",
    "slack": "https://hooks.example.com/in/7",
    "webhook": "https://hooks.example.com/in/7",
    "apprise": "ntfys://ntfy.example.com/topic",
}


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    if isinstance(case.query, dict):
        if re.fullmatch(r"[A-Za-z0-9_-]{1,512}", str(case.query.get("cursor", ""))):
            del case.query["cursor"]
        if "email" in case.query:
            case.query["email"] = _near("email", case.query["email"])
    if case.headers is not None and re.fullmatch(r"[!-~]{1,255}", str(case.headers.get("Idempotency-Key", ""))):
        case.headers["Idempotency-Key"] = str(uuid4())
    if case.headers is not None and re.fullmatch(r'"?[0-9]{1,9}"?', str(case.headers.get("If-Match", ""))):
        case.headers["If-Match"] = "*"  # which versions there are, no schema says
    if isinstance(case.body, dict):
        case.body = {name: _near(name, value) for name, value in case.body.items()}
        _address(case.body)
        _provider(case.body)
    if case.media_type == "text/csv" and case.body:
        case.body = "external_id,name\n7,Somebody\n"


def _near(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return [_near(name, item) for item in value]
    if isinstance(value, dict):
        return {inner: _near(inner, item) for inner, item in value.items()}
    pattern, near = _NEAR.get(name, ("(?!)", None))
    return near if isinstance(value, str) and re.fullmatch(pattern, value) else value


def _provider(body: dict[str, Any]) -> None:
    """What a configuration consists of depends on the type; that of the sandbox is empty."""
    if isinstance(body.get("type"), str) and isinstance(body.get("channel"), str) and "factType" not in body:
        body["type"] = "sandbox"
    if isinstance(body.get("config"), dict):
        body["config"] = {}


def _address(body: dict[str, Any]) -> None:
    """A kind with an address of another kind is refused; so is a secret of what is no webhook."""
    kind, value = body.get("kind"), body.get("value")
    if isinstance(kind, str) and kind in _ADDRESSES and isinstance(value, str) and 1 <= len(value) <= 4096:
        body["value"] = _ADDRESSES[kind]
        if isinstance(body.get("secret"), str) and kind != "webhook":
            body["secret"] = None
