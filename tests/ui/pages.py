"""Every page there is, by its address, with the ids of a furnished house filled in."""

from __future__ import annotations

import re
from pathlib import Path

FEATURES = Path(__file__).parents[2] / "ui/src/features"

PAGES = {
    "/": "/",
    "/activity": "/activity",
    "/activity/deliveries": "/activity/deliveries",
    "/activity/notices": "/activity/notices",
    "/activity/why": "/activity/why?person={personId}&fact={factId}",
    "/activity/$factId": "/activity/{factId}",
    "/forecast": "/forecast",
    "/inbox": "/inbox",
    "/events": "/events",
    "/events/new": "/events/new",
    "/events/$id": "/events/{eventId}",
    "/events/$id/edit": "/events/{eventId}/edit",
    "/reservations": "/reservations",
    "/reservations/new": "/reservations/new",
    "/reservations/restaurants": "/reservations/restaurants",
    "/reservations/agencies": "/reservations/agencies",
    "/reservations/channels": "/reservations/channels",
    "/reservations/$id": "/reservations/{reservationId}",
    "/organizations": "/organizations",
    "/organizations/bootstrap": "/organizations/bootstrap",
    "/organizations/bootstrap/$id/status": "/organizations/bootstrap/{bootstrapId}/status",
    "/organizations/$id": "/organizations/{organizationId}",
    "/auth/accept-invitation": "{accept}",
    "/reports": "/reports?owner=all",
    "/reports/new": "/reports/new",
    "/reports/$id": "/reports/{scheduleId}?run={runId}",
    "/reports/$id/edit": "/reports/{scheduleId}/edit",
    "/outbox": "/outbox",
    "/rules": "/rules",
    "/rules/new": "/rules/new",
    "/rules/$id": "/rules/{ruleId}",
    "/templates": "/templates",
    "/templates/$name/$channel": "/templates/orders/email",
    "/sandbox": "/sandbox?message={messageId}",
    "/channels": "/channels",
    "/channels/new": "/channels/new?channel=email&type=smtp",
    "/channels/$id": "/channels/{providerId}",
    "/settings/people": "/settings/people?person={personId}",
    "/settings/groups": "/settings/groups",
    "/settings/imports": "/settings/imports",
    "/settings/suppressions": "/settings/suppressions",
    "/settings/categories": "/settings/categories",
    "/integrations": "/integrations",
    "/settings/keys": "/settings/keys",
    "/settings/users": "/settings/users",
    "/settings/me": "/settings/me",
}
"""What the router calls it, and where it is in a furnished house."""


def routes() -> set[str]:
    """All that the features name."""
    return {path for file in FEATURES.glob("*/index.ts") for path in re.findall(r'path: "([^"]+)"', file.read_text())}


def named(route: str) -> str:
    return re.sub(r"\W+", "-", route).strip("-") or "overview"
