"""The DNS record of an organisation: made, found and removed. What is a stranger's is never touched."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tidings.modules.organizations.dns.port import DnsProvider, NewRecord, Record, Zone, ZoneMissing
from tidings.modules.organizations.model import mark_of, marked
from tidings.spine.outbox.outcomes import Permanent

TYPE = "CNAME"
ADDRESSES = frozenset({"A", "AAAA", "CNAME"})
IsLeft = Callable[[UUID], Awaitable[bool]]
"""Whether a record of this organisation is left from a bootstrap of ours that was undone."""


class DnsConflict(Permanent):
    """Somebody else has a DNS record of this name."""


@dataclass(frozen=True)
class Configured:
    """`ours`: it was made for the organisation, and goes with it."""

    zone: Zone
    record: Record
    ours: bool

    def about(self, domain: str, base_domain: str) -> dict[str, Any]:
        """What `organization.dns.configured` says of it."""
        return {
            "fqdn": domain,
            "target": target_of(base_domain),
            "recordId": self.record.id,
            "zoneId": self.zone.id,
            "ours": self.ours,
            "proxied": self.record.proxied,
        }


@dataclass(frozen=True)
class DnsRecords:
    provider: DnsProvider

    async def configure(self, organization_id: UUID, domain: str, base_domain: str, is_left: IsLeft) -> Configured:
        """The record that leads to us: the one that is there, or a new one. `DnsConflict` where it leads elsewhere.

        One that a bootstrap left behind whose call took effect too late is replaced, so that whoever looks for what was
        left does not take it away again.
        """
        zone, target = await self.provider.zone(base_domain), target_of(base_domain)
        for found in await self.provider.records(zone, name=domain):
            if found.type not in ADDRESSES:
                continue
            owner = marked(found.comment)
            if owner is not None and owner != organization_id and await is_left(owner):
                await self.provider.delete(zone, found.id)
            elif found.type == TYPE and same_name(found.content, target):
                return Configured(zone, found, owner == organization_id)
            else:
                raise DnsConflict(f"{domain} has a {found.type} record that leads to {found.content}, not to {target}")
        wanted = NewRecord(type=TYPE, name=domain, content=target, proxied=True, comment=mark_of(organization_id))
        return Configured(zone, await self.provider.create(zone, wanted), ours=True)

    async def of(self, organization_id: UUID, domain: str, base_domain: str) -> tuple[Zone | None, list[Record]]:
        """Those that carry its mark. Where the zone is gone, so are they."""
        try:
            zone = await self.provider.zone(base_domain)
        except ZoneMissing:
            return None, []
        found = await self.provider.records(zone, name=domain)
        return zone, [record for record in found if marked(record.comment) == organization_id]

    async def remove(self, organization_id: UUID, domain: str, base_domain: str) -> list[str]:
        """Those that carry its mark; returns their ids. That there is none is success."""
        zone, found = await self.of(organization_id, domain, base_domain)
        for record in found:
            assert zone is not None
            await self.provider.delete(zone, record.id)
        return [record.id for record in found]


def target_of(base_domain: str) -> str:
    return f"app.{base_domain}"


def same_name(one: str, other: str) -> bool:
    return one.rstrip(".").lower() == other.rstrip(".").lower()
