"""People, rules, providers and keys."""

from __future__ import annotations

from tests.ui.clerk import Clerk

_MAIL = """<mjml><mj-body><mj-section><mj-column>
<mj-text font-size="20px">{{ notice.title }}</mj-text>
<mj-text>{{ notice.body }}</mj-text>
<mj-button href="https://example.com/orders">See your order</mj-button>
</mj-column></mj-section></mj-body></mjml>"""


async def people(clerk: Clerk) -> dict[str, str]:
    for category, name, needed in (("orders", "Orders", False), ("security", "Security", True)):
        await clerk.call("PUT", f"/categories/{category}", {"name": name, "required": needed})
    owner = await clerk.call(
        "POST",
        "/people",
        {"externalId": "owner", "name": "The owner", "email": "owner@example.com", "phone": "+390612345678",
         "locale": "it-IT", "timezone": "Europe/Rome", "pushTokens": ["device-1"]},
    )  # fmt: skip
    for role, zone in (("The accountant", "Europe/Vienna"), ("The night shift", "America/New_York")):
        email = f"{role.split()[-1]}@example.com"
        await clerk.call("POST", "/people", {"name": role, "email": email, "timezone": zone})
    group = await clerk.call("POST", "/groups", {"externalId": "kitchen", "name": "Kitchen"})
    await clerk.call("PUT", f"/groups/{group['id']}/members/{owner['id']}")
    await clerk.call("POST", "/suppressions", {"kind": "email", "value": "gone@example.com", "detail": "asked us to"})
    return {"personId": owner["id"], "groupId": group["id"]}


async def access(clerk: Clerk) -> None:
    for name, scopes in (("the shop", ["facts:write"]), ("a dashboard", ["facts:read", "outbox:read"])):
        await clerk.call("POST", "/keys", {"name": name, "scopes": scopes})
    rows = "name,email\nThe courier,courier@example.com\nThe gardener,not an address\n"
    await clerk.page.request.post(
        "/v1/people/imports", headers=await clerk.headers("text/csv"), data=rows
    )  # one row is wrong: it is refused, and says why


async def rules(clerk: Clerk) -> dict[str, str]:
    await clerk.call(
        "PUT",
        "/templates/orders/email",
        {"subject": "{{ notice.title }}", "markup": _MAIL, "text": "{{ notice.body }}"},
    )
    rule = await clerk.call(
        "POST",
        "/rules",
        {"name": "Paid orders", "factType": "order.paid", "category": "orders", "template": "orders",
         "audience": [{"by": "everyone"}], "channels": ["email", "push", "websocket"],
         "conditions": {"field": "total", "greater": 100},
         "title": "Order {{ data.id }} is paid",
         "body": "We have received {{ data.total | money(\"EUR\") }}. Thank you."},
    )  # fmt: skip
    await clerk.call(
        "POST",
        "/rules",
        {"name": "Cancelled orders", "factType": "order.cancelled", "level": "warning", "enabled": False,
         "audience": [{"by": "everyone"}], "channels": ["sms"], "title": "Order {{ data.id }} is cancelled",
         "body": "Nothing was charged."},
    )  # fmt: skip
    return {"ruleId": rule["id"]}


async def providers(clerk: Clerk) -> dict[str, str]:
    provider = await clerk.call(
        "POST",
        "/providers",
        {"channel": "push", "type": "sandbox", "name": "pushes that stay here", "config": {}},
    )
    return {"providerId": provider["id"]}
