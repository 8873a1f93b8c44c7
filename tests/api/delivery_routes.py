"""The routes of providers, notices, deliveries and the sandbox, for the walk as A against what is B's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.api.world import Client, World
from tidings.kit import db
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import KEPT_MESSAGES
from tidings.spine.delivery.sandbox import context

Ids = dict[str, str]
PROVIDER: dict[str, Any] = {
    "channel": "email",
    "type": "smtp",
    "name": "canary",
    "config": {"host": "mail.example.com", "fromAddress": "post@example.com", "password": "canary of the provider"},
}
_PROVIDER, _NOTICE, _DELIVERY = "/v1/providers/{id}", "/v1/notices/{id}", "/v1/deliveries/{id}"
OF_ONE_OBJECT: dict[tuple[str, str], Callable[[Ids], tuple[str, Any]]] = {
    ("GET", _PROVIDER): lambda ids: (f"/v1/providers/{ids['provider']}", None),
    ("PATCH", _PROVIDER): lambda ids: (f"/v1/providers/{ids['provider']}", {"enabled": False}),
    ("DELETE", _PROVIDER): lambda ids: (f"/v1/providers/{ids['provider']}", None),
    ("POST", f"{_PROVIDER}/close"): lambda ids: (f"/v1/providers/{ids['provider']}/close", None),
    ("POST", f"{_PROVIDER}/test"): lambda ids: (f"/v1/providers/{ids['provider']}/test", {"personId": ids["person"]}),
    ("GET", _NOTICE): lambda ids: (f"/v1/notices/{ids['notice']}", None),
    ("GET", f"{_NOTICE}/notifications"): lambda ids: (f"/v1/notices/{ids['notice']}/notifications", None),
    ("POST", f"{_NOTICE}/close"): lambda ids: (f"/v1/notices/{ids['notice']}/close", {"reason": "mine"}),
    ("GET", _DELIVERY): lambda ids: (f"/v1/deliveries/{ids['delivery']}", None),
    ("POST", f"{_DELIVERY}/retry"): lambda ids: (f"/v1/deliveries/{ids['delivery']}/retry", None),
    ("POST", f"{_DELIVERY}/settle"): lambda ids: (
        f"/v1/deliveries/{ids['delivery']}/settle",
        {"as": "sent", "reason": "mine"},
    ),
    ("GET", "/v1/sandbox/{id}"): lambda ids: (f"/v1/sandbox/{ids['delivery']}", None),
}
OF_ALL: dict[tuple[str, str], tuple[str, Any]] = {
    ("GET", "/v1/providers"): ("/v1/providers", None),
    ("GET", "/v1/provider-types"): ("/v1/provider-types", None),
    ("GET", "/v1/notices"): ("/v1/notices", None),
    ("GET", "/v1/deliveries"): ("/v1/deliveries", None),
    ("POST", "/v1/deliveries/retry"): ("/v1/deliveries/retry", {}),
    ("GET", "/v1/sandbox"): ("/v1/sandbox", None),
    ("DELETE", "/v1/sandbox"): ("/v1/sandbox", None),
}
ELSEWHERE = {("POST", "/v1/providers")}  # tested by what it writes


async def deliveries_of(world: World, owner: Client, tenant: str, person: str) -> Ids:
    """A provider, and a test through it that the sandbox kept, too."""
    provider = (await owner.post("/v1/providers", PROVIDER)).json["data"]["id"]
    tried = (await owner.post(f"/v1/providers/{provider}/test", {"personId": person})).json["data"]["deliveryId"]
    notice = (await owner.get(f"/v1/deliveries/{tried}")).json["data"]["noticeId"]
    await keep(world, world.pool, tenant, tried)
    return {"provider": provider, "delivery": tried, "notice": notice}


async def keep(world: World, connection: db.Pool, tenant: str, delivery: str) -> None:
    vault = (await unlocked(world.settings, connection)).vault(KEPT_MESSAGES)
    sealed = vault.seal(
        b'{"to": "canary@example.org", "subject": "canary", "text": "canary", "html": "<p>canary</p>", "name": null,'
        b'"level": "info", "data": {}, "unsubscribeUrl": null, "attachments": []}',
        context(tenant, delivery),  # type: ignore[arg-type]
    )
    await connection.execute(
        "INSERT INTO tidings.sandbox_messages (id, tenant, channel, sealed) VALUES ($1, $2, 'email', $3)",
        delivery,
        tenant,
        sealed,
    )


def shown_at(ids: Ids) -> tuple[str, ...]:
    return (
        *("/v1/providers", f"/v1/notices/{ids['notice']}", f"/v1/deliveries/{ids['delivery']}"),
        f"/v1/sandbox/{ids['delivery']}",
    )
