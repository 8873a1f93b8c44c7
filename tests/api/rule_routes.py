"""The routes of rules and templates, for the walk as A against what is B's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.api.world import Client

Ids = dict[str, str]
RULE: dict[str, Any] = {
    "name": "canary",
    "factType": "lead.created",
    "audience": [{"by": "everyone"}],
    "title": "canary",
    "body": "canary",
    "channels": ["email"],
}
_RULE, _TEMPLATE = "/v1/rules/{id}", "/v1/templates/{name}/{channel}"
OF_ONE_OBJECT: dict[tuple[str, str], Callable[[Ids], tuple[str, Any]]] = {
    ("GET", _RULE): lambda ids: (f"/v1/rules/{ids['rule']}", None),
    ("PATCH", _RULE): lambda ids: (f"/v1/rules/{ids['rule']}", {"enabled": False}),
    ("DELETE", _RULE): lambda ids: (f"/v1/rules/{ids['rule']}", None),
    ("GET", f"{_RULE}/versions"): lambda ids: (f"/v1/rules/{ids['rule']}/versions", None),
    ("POST", f"{_RULE}/dry-run"): lambda ids: (f"/v1/rules/{ids['rule']}/dry-run", {}),
    ("POST", "/v1/rules/dry-run"): lambda ids: ("/v1/rules/dry-run", {"rule": RULE, "factId": ids["fact"]}),
    ("GET", _TEMPLATE): lambda ids: (f"/v1/templates/t-{ids['template']}/sms", None),
    ("DELETE", _TEMPLATE): lambda ids: (f"/v1/templates/t-{ids['template']}/sms", None),
    ("GET", f"{_TEMPLATE}/versions"): lambda ids: (f"/v1/templates/t-{ids['template']}/sms/versions", None),
    ("POST", "/v1/templates/preview"): lambda ids: (
        "/v1/templates/preview",
        {"channel": "sms", "factId": ids["fact"]},
    ),
}
OF_ALL: dict[tuple[str, str], tuple[str, Any]] = {
    ("GET", "/v1/rules"): ("/v1/rules", None),
    ("GET", "/v1/templates"): ("/v1/templates?limit=100", None),
}
ELSEWHERE = {("POST", "/v1/rules"), ("PUT", _TEMPLATE)}  # tested by what they write


async def rules_and_templates_of(owner: Client) -> Ids:
    rule = await owner.post("/v1/rules", RULE)
    await owner.call("PUT", "/v1/templates/t-canary/sms", json={"text": "canary"})
    return {"rule": rule.json["data"]["id"], "template": "canary"}


def shown_at(ids: Ids) -> tuple[str, ...]:
    return (f"/v1/rules/{ids['rule']}", f"/v1/rules/{ids['rule']}/versions", f"/v1/templates/t-{ids['template']}/sms")
