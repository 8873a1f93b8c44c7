"""What is at Cloudflare, and what a look at it found."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tests.modules.organizations.dns.servers.cloudflare import Cloudflare
from tests.support.founding import BASE
from tidings.kit import db
from tidings.modules.organizations.findings import Finding, What

NORTH = f"north.{BASE}"


def zone_of(provider: Cloudflare) -> str:
    (zone,) = provider.zones
    return zone


def add(provider: Cloudflare, name: str = NORTH, **fields: Any) -> dict[str, Any]:
    """A record that leads to us, but for what is given."""
    return provider.add_record(zone_of(provider), **{"name": name, "content": f"app.{BASE}", **fields})


def records(provider: Cloudflare) -> list[dict[str, Any]]:
    return list(provider.records[zone_of(provider)].values())


def found(findings: list[Finding]) -> list[tuple[What, UUID | None, bool]]:
    return [(each.what, each.organization_id, each.mended) for each in findings]


async def everything(pool: db.Pool) -> tuple[Any, ...]:
    """All that a look could have changed."""
    tables = "facts", "outbox", "outbox_finished", "organizations_projection", "user_invitations_projection"
    return tuple([sorted(map(str, await pool.fetch(f"SELECT * FROM tidings.{table}"))) for table in tables])
