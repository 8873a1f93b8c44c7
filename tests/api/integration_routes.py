"""The routes of integrations, for the walk as A against what is B's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.api.world import Client

Ids = dict[str, str]
INTEGRATION: dict[str, Any] = {"name": "Canary", "url": "ntfys://ntfy.sh/canary-topic", "tags": ["canary"]}
_PATH = "/v1/integrations/{id}"
OF_ONE_OBJECT: dict[tuple[str, str], Callable[[Ids], tuple[str, Any]]] = {
    ("GET", _PATH): lambda ids: (f"/v1/integrations/{ids['integration']}", None),
    ("PATCH", _PATH): lambda ids: (f"/v1/integrations/{ids['integration']}", {"name": "Mine"}),
    ("DELETE", _PATH): lambda ids: (f"/v1/integrations/{ids['integration']}", None),
    ("POST", f"{_PATH}/test"): lambda ids: (f"/v1/integrations/{ids['integration']}/test", None),
    ("GET", f"{_PATH}/tests/{{deliveryId}}"): lambda ids: (
        f"/v1/integrations/{ids['integration']}/tests/{ids['trial']}",
        None,
    ),
}
OF_ALL: dict[tuple[str, str], tuple[str, Any]] = {("GET", "/v1/integrations"): ("/v1/integrations", None)}
ELSEWHERE = {("POST", "/v1/integrations")}  # tested by what it writes


async def integrations_of(owner: Client) -> Ids:
    """An integration of somebody whose login is linked to a person, and a test of it."""
    made = await owner.post("/v1/integrations", INTEGRATION)
    assert made.status == 201, made.text
    integration = made.json["data"]["id"]
    tried = await owner.post(f"/v1/integrations/{integration}/test")
    return {"integration": integration, "trial": tried.json["data"]["deliveryId"]}


def shown_at(ids: Ids) -> tuple[str, ...]:
    return ("/v1/integrations", f"/v1/integrations/{ids['integration']}/tests/{ids['trial']}")
