"""What the provider of DNS has under our mark, held against what it should have. What is a stranger's stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from tidings.modules.organizations.dns.port import Record, Zone, ZoneMissing
from tidings.modules.organizations.dns_records import ADDRESSES, TYPE, DnsRecords, same_name, target_of
from tidings.modules.organizations.findings import TROUBLES, Sweep, What
from tidings.modules.organizations.model import MARK, RECONCILER, Organization, Status, Undo, marked
from tidings.modules.organizations.undoing import Undoing
from tidings.spine.outbox.outcomes import describe


@dataclass(frozen=True)
class DnsReconciler:
    """`domains`: under which each tenant takes organisations on now; those of before are looked at, too."""

    dns: DnsRecords
    undoing: Undoing
    domains: Mapping[str, str]

    async def look(self, sweep: Sweep, organizations: list[Organization]) -> None:
        """One zone after the other; one that cannot be looked into does not keep us from the others."""
        if not self.dns.provider.keeps_records:
            return
        bases = {each.base_domain for each in organizations} | {self.domains.get(sweep.tenant, "")} - {""}
        for base in sorted(bases):
            known = {each.id: each for each in organizations if each.base_domain == base}
            try:
                zone = await self.dns.provider.zone(base)
                records = await self.dns.provider.records(zone, comment=MARK)
                await self._zone(sweep, zone, records, known)
            except ZoneMissing as error:
                if any(_has_a_record(each) for each in known.values()):
                    sweep.told(What.NOT_ASKED, None, describe(error))
            except TROUBLES as error:
                sweep.told(What.NOT_ASKED, None, f"{base}: {describe(error)}")

    async def _zone(self, sweep: Sweep, zone: Zone, records: list[Record], known: Mapping[UUID, Organization]) -> None:
        for record in records:
            owner = marked(record.comment)
            organization = None if owner is None else known.get(owner)
            if organization is None:
                sweep.told(What.DNS_UNKNOWN, owner, f"{record.name}: nobody here knows whose it is")
            elif organization.status in (Status.FAILED, Status.CANCELLED):
                detail = f"{record.name} is left, though it was not taken on"
                removing = partial(self._remove, sweep.tenant, zone, record, organization.id)
                await sweep.mended(What.DNS_LEFT, organization.id, detail, removing)
        for organization in known.values():
            if _has_a_record(organization):
                mine = [record for record in records if marked(record.comment) == organization.id]
                await self._complete(sweep, zone, organization, mine)

    async def _complete(self, sweep: Sweep, zone: Zone, organization: Organization, mine: list[Record]) -> None:
        """One that was taken on has its record, and it leads to us. One that leads elsewhere somebody changed, and may
        have had a reason."""
        target = target_of(organization.base_domain)
        if mine:
            for record in mine:
                if not same_name(record.content, target):
                    detail = f"{organization.domain} leads to {record.content}, not to {target}"
                    sweep.told(What.DNS_ELSEWHERE, organization.id, detail)
            return
        named = await self.dns.provider.records(zone, name=organization.domain)
        others = [record for record in named if record.type in ADDRESSES]
        if strangers := [each for each in others if each.type != TYPE or not same_name(each.content, target)]:
            detail = f"{organization.domain} has a record of somebody else, which leads to {strangers[0].content}"
            sweep.told(What.DNS_ELSEWHERE, organization.id, detail)
        elif not others:
            detail = f"{organization.domain} has no record any more"
            configuring = partial(self._configure, sweep.tenant, organization)
            await sweep.mended(What.DNS_MISSING, organization.id, detail, configuring)

    async def _remove(self, tenant: str, zone: Zone, record: Record, organization_id: UUID) -> None:
        """By the name that it was made with, which is put on record; and where somebody gave it another."""
        await self.undoing.undo(Undo.REMOVE_DNS, tenant, organization_id, RECONCILER)
        await self.dns.provider.delete(zone, record.id)

    async def _configure(self, tenant: str, organization: Organization) -> None:
        async def nobody_left(owner: UUID) -> bool:
            return False

        made = await self.dns.configure(organization.id, organization.domain, organization.base_domain, nobody_left)
        async with self.undoing.held(tenant, organization.id, RECONCILER) as (stream, _):
            about = made.about(organization.domain, organization.base_domain)
            await stream.fact("organization.dns.configured", f"dns.configured:{made.record.id}", about)


def _has_a_record(organization: Organization) -> bool:
    return organization.status is Status.COMPLETED and organization.dns_record_ours is True
