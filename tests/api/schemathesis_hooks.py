"""What a schema cannot say, for schemathesis: a cursor is one that was given out, a key is used for one request,
a time is near enough, a mailbox, a timezone or a URL is one that there can be, a file has a header, a template
is there and can be read. Values that are wrong on purpose are left as they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import schemathesis

_TIME = r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)"
PLACE = 1
"""The id of the restaurant and of the agency that there are."""
CUSTOMER = "0190a5e0-0000-7000-8000-000000000001"
_HELLO = "Hello"
_SOON, _LATER = (f"{datetime.now(UTC) + timedelta(days=days):%Y-%m-%d}T00:00:00Z" for days in (30, 31))
_MAILBOX = r"[^\s@]+@[^\s@]+"
_SUBDOMAIN = r"[a-z0-9][a-z0-9-]{1,61}[a-z0-9]"
_UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_APPRISE = r"(?=.{1,2048}$)[a-z][a-z0-9]*://[!-~]+"
_NEAR: dict[str, tuple[str, Any]] = {
    "runAt": (_TIME, _SOON),
    "expiresAt": (_TIME, _SOON),
    "startsAt": (_TIME, _SOON),
    "from": (_TIME, _SOON),
    "reportTypeId": (r"[^\x00]{1,100}", "delivery-summary"),
    "cronExpression": (r".{9,200}", "0 9 * * 1-5"),
    "endsAt": (_TIME, _LATER),
    "at": (_TIME, _SOON),
    "time": (_TIME, _SOON),
    "proposedTime": (_TIME, _SOON),
    "customerId": (_UUID, CUSTOMER),
    "recipients": (_MAILBOX, "somebody@example.com"),
    "email": (_MAILBOX, "somebody@example.com"),
    "contactEmail": (_MAILBOX, "somebody@example.com"),
    "timezone": (r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*", "Europe/Rome"),
    "tz": (r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*", "Europe/Rome"),
    "userId": (_UUID, None),
    "slackWebhook": (r"https?://[!-~]+", "https://hooks.example.com/in/7"),
    "url": (r"https?://[!-~]+", "https://hooks.example.com/in/7"),
    "secret": (r"whsec_[A-Za-z0-9+/]+=*", "whsec_" + "A" * 32),
    "appriseUrls": (_APPRISE, "ntfys://ntfy.example.com/topic"),
    "title": (r"[^\x00]{1,1000}", _HELLO),
    "body": (r"[^\x00]{1,20000}", _HELLO),
    "note": (r"[^\x00]{1,2000}", _HELLO),
    "subject": (r"[^\x00]{1,65536}", _HELLO),
    "text": (r"[^\x00]{1,65536}", _HELLO),
    "markup": (r"[^\x00]{1,65536}", None),
    "template": (r"[a-z][a-z0-9_.-]{0,99}", "notice"),
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
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Conditions within conditions take schemathesis for ever: here a group holds one kind of them, and no groups.
    And some kinds of conditions and selectors stand for all: the rest is tried where they are read."""
    schemas = raw_schema["components"]["schemas"]
    for name, group in (("AllBody", "all"), ("AnyBody", "any")):
        schemas[name]["properties"][group]["items"] = _schema("ExistsBody")
    for name, condition, selector in (
        ("NewRuleBody", "AllBody", "ValuesBody"),
        ("RuleChangesBody", "LessBody", "FieldBody"),
        ("UnsavedRuleBody", "EqualsBody", "EveryoneBody"),
    ):
        schemas[name]["properties"]["conditions"] = {"anyOf": [_schema(condition), {"type": "null"}]}
        schemas[name]["properties"]["audience"]["items"] = _schema(selector)


def _schema(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    if isinstance(case.query, dict):
        if re.fullmatch(r"[A-Za-z0-9_-]{1,512}", str(case.query.get("cursor", ""))):
            del case.query["cursor"]
        for name in ("email", "tz"):
            if name in case.query:
                case.query[name] = _near(name, case.query[name])
    if case.headers is not None and re.fullmatch(r"[!-~]{1,255}", str(case.headers.get("Idempotency-Key", ""))):
        case.headers["Idempotency-Key"] = str(uuid4())
    if case.headers is not None and re.fullmatch(r'"?[0-9]{1,9}"?', str(case.headers.get("If-Match", ""))):
        case.headers["If-Match"] = "*"  # which versions there are, no schema says
    if isinstance(case.body, dict):
        case.body = {name: _near(name, value) for name, value in case.body.items()}
        _address(case.body)
        _provider(case.body)
        _of_events(case.operation.path, case.body)
        _of_reservations(case.body)
        _of_reports(case.operation.path, case.body)
        if case.operation.path == "/v1/organizations/bootstrap":
            _of_organizations(case.body)
        _words(case.body if case.operation.path == "/v1/templates/{name}/{channel}" else case.body.get("source"))
    if case.media_type == "text/csv" and case.body:
        case.body = "external_id,name\n7,Somebody\n"


def _of_events(path: str, body: dict[str, Any]) -> None:
    if path.startswith("/v1/events"):
        _nobody_else(body)
    if path.startswith("/v1/integrations") and re.fullmatch(_APPRISE, str(body.get("url"))):
        body["url"] = f"ntfys://ntfy.example.com/{uuid4()}"  # not one of theirs already


def _of_reservations(body: dict[str, Any]) -> None:
    for name in ("restaurantId", "agencyId"):
        if _is_id(body.get(name)):
            body[name] = PLACE
    _deed(body)


_CADENCES: dict[str, dict[str, Any]] = {
    "daily": {"cadenceDay": None, "cronExpression": None, "scheduleTime": "09:00"},
    "weekly": {"cadenceDay": 6, "cronExpression": None, "scheduleTime": "09:00"},
    "monthly": {"cadenceDay": 31, "cronExpression": None, "scheduleTime": "09:00"},
    "cron": {"cadenceDay": None, "cronExpression": "0 9 * * 1-5", "scheduleTime": None},
}
_FITTING: dict[str, Callable[[Any], bool]] = {
    "cadenceDay": lambda given: given is None or _within(given, 0, 31),
    "cadenceWeekday": lambda given: given is None or _within(given, 0, 6),
    "cadenceWeek": lambda given: given is None or (_within(given, -1, 4) and given != 0),
    "intervalWeeks": lambda given: _within(given, 1, 52),
    "cronExpression": lambda given: given is None or (isinstance(given, str) and 9 <= len(given) <= 200),
    "scheduleTime": lambda given: given is None or bool(re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", str(given))),
}


def _of_reports(path: str, body: dict[str, Any]) -> None:
    """What says when goes together: what each may be is kept to what its cadence takes. A change names its cadence, and
    takes back what it cannot give as null by leaving it out."""
    if not path.startswith("/v1/schedules"):
        return
    changes = path == "/v1/schedules/{scheduleId}"
    if changes and any(name in body for name in _FITTING):
        body.setdefault("cadenceType", "daily")
    kind = body.get("cadenceType")
    if not (isinstance(kind, str) and kind in _CADENCES):
        return
    wanted = {"cadenceWeekday": None, "cadenceWeek": None, "intervalWeeks": 1, **_CADENCES[kind]}
    for name, value in wanted.items():
        if changes and name in body and body[name] is None and name != "cadenceDay":
            continue  # wrong on purpose
        if not _FITTING[name](body.get(name, value)):
            continue
        body[name] = value
        if changes and value is None and name != "cadenceDay":
            del body[name]


def _within(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most and value % 1 == 0


def _of_organizations(body: dict[str, Any]) -> None:
    """Nobody has the subdomain, no parent is there, and of those who are invited one leads and each has a mailbox."""
    if re.fullmatch(_SUBDOMAIN, str(body.get("subdomain"))):
        body["subdomain"] = f"org-{uuid4()}"
    parent = body.get("parentId")
    if body.get("type") in ("partner", "provider") and (parent is None or re.fullmatch(_UUID, str(parent))):
        body |= {"type": "provider", "parentId": None}
    users = body.get("users")
    if not isinstance(users, list) or not all(isinstance(user, dict) for user in users):
        return
    for n, user in enumerate(users):
        if user.get("email") == "somebody@example.com":
            user["email"] = f"somebody{n}@example.com"
    if users and users[0].get("role") in ("partner_admin", "member"):
        users[0]["role"] = "provider_admin"


def _deed(body: dict[str, Any]) -> None:
    """What was done otherwise has a note, and only another time that is proposed has a time."""
    if body.get("action") == "CUSTOM" and body.get("note") is None:
        body["note"] = _HELLO
    if "proposedTime" in body or body.get("action") == "POSTPONED":
        known = re.fullmatch(_TIME, str(body.get("proposedTime"))) or body.get("proposedTime") is None
        if known and body.get("action") in ("CONFIRMED", "REJECTED", "DISMISSED", "CUSTOM", "POSTPONED"):
            body["proposedTime"] = _SOON if body["action"] == "POSTPONED" else None


def _nobody_else(body: dict[str, Any]) -> None:
    """Ids of what is not there are refused; which there are, no schema says."""
    for name in ("organiserId", "personId"):
        if re.fullmatch(_UUID, str(body.get(name))):
            del body[name]
    ids = body.get("subscriptionIds")
    if isinstance(ids, list) and 0 < len(ids) <= 1_000 and all(_is_id(each) for each in ids):
        del body["subscriptionIds"]
    selectors = body.get("selectors")
    if isinstance(selectors, list):
        body["selectors"] = [each for each in selectors if not _is_integration(each)]


def _is_id(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value < 2**63 and value == int(value)


def _is_integration(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"integrationId"}
        and bool(re.fullmatch(_UUID, str(value["integrationId"])))
    )


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


def _words(source: Any) -> None:
    """A template has words, whatever its channel."""
    if isinstance(source, dict):
        source.update({part: _HELLO for part in ("subject", "text") if source.get(part) is None})
