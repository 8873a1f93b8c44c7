"""Looking for what should not be there: what a process that was ended left behind, and what took effect too late.

One sweep of a tenant. It compares DNS, invitations, permissions and projections with the journal, says what is wrong,
and mends it unless it is only to look. A bootstrap that is open is touched only where Temporal says that its process
has come to an end; a DNS record only where it carries the id of an organisation of ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

import structlog

from tidings.kit import db
from tidings.modules.organizations.dns.port import Record, Zone, ZoneMissing
from tidings.modules.organizations.dns_records import DnsRecords, same_name, target_of
from tidings.modules.organizations.model import MARK, OPEN, Organization, Status, Undo, marked
from tidings.modules.organizations.recording import Stream, organization_of
from tidings.modules.organizations.requests import RECONCILE
from tidings.modules.organizations.undoing import ORDER, Undoing
from tidings.spine.outbox.handlers import KeyPolicy, Kind
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Again, Outcome, Permanent, describe
from tidings.spine.processes.states import Away, Ended, Processes

log = structlog.get_logger("tidings.organizations")
_BY = {"actor": "reconciler"}
_CLOSED = "('failed', 'cancelled')"
_PROJECTIONS = {
    "organizations_projection": "id",
    "organization_permissions_projection": "organization_id",
    "user_invitations_projection": "organization_id",
}


class What(StrEnum):
    """What can be wrong."""

    PROCESS_ENDED = "process_ended"  # and the bootstrap is open
    DNS_LEFT = "dns_left"
    DNS_MISSING = "dns_missing"
    DNS_ELSEWHERE = "dns_elsewhere"
    DNS_UNKNOWN = "dns_unknown"  # an id that is not ours: perhaps another installation's
    INVITATION_LEFT = "invitation_left"
    PERMISSION_LEFT = "permission_left"
    PROJECTION_DIFFERS = "projection_differs"
    NOT_ASKED = "not_asked"  # Temporal or the DNS provider does not answer


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong; `mended` now, or only told."""

    what: What
    organization_id: UUID | None
    detail: str
    mended: bool


@dataclass
class Sweep:
    """One look at a tenant."""

    tenant: str
    mends: bool
    findings: list[Finding] = field(default_factory=list)

    def found(self, what: What, organization_id: UUID | None, detail: str, *, mended: bool | None = None) -> None:
        self.findings.append(Finding(what, organization_id, detail, self.mends if mended is None else mended))


@dataclass(frozen=True)
class Reconciler:
    pool: db.Pool
    dns: DnsRecords
    undoing: Undoing
    processes: Processes
    domains: Mapping[str, str]
    every: timedelta

    def kind(self) -> Kind:
        return Kind(RECONCILE, self.look_again, keys=KeyPolicy.REARM, concurrency=2, timeout=timedelta(minutes=30))

    async def look_again(self, intent: Intent) -> Outcome:
        """For as long as the tenant has organisations."""
        findings = await self.sweep(intent.tenant, mends=True)
        for each in findings:
            log.warning(
                "reconciled" if each.mended else "not reconciled",
                tenant=intent.tenant,
                what=str(each.what),
                organization=str(each.organization_id),
                detail=each.detail,
            )
        async with self.pool.acquire() as connection:
            return Again(await connection.fetchval("SELECT now() + $1::interval", self.every))

    async def sweep(self, tenant: str, *, mends: bool) -> list[Finding]:
        """Everything that is wrong, in the order in which it is looked for."""
        sweep = Sweep(tenant, mends)
        await self._projections(sweep)
        await self._processes(sweep)
        await self._rows(sweep)
        try:
            await self._zones(sweep)
        except Permanent as error:
            sweep.found(What.NOT_ASKED, None, describe(error), mended=False)
        return sweep.findings

    async def _projections(self, sweep: Sweep) -> None:
        async with self.pool.acquire() as connection, db.as_tenant(connection, sweep.tenant):
            rows = await connection.fetch(
                """SELECT stream_id::uuid AS id FROM tidings.facts WHERE tenant = $1 AND stream_type = 'organization'
                   AND type = 'organization.bootstrap.initiated' ORDER BY seq""",
                sweep.tenant,
            )
        for row in rows:
            if wrong := await compare(self.pool, sweep.tenant, row["id"], mends=sweep.mends):
                sweep.found(What.PROJECTION_DIFFERS, row["id"], ", ".join(wrong))

    async def _processes(self, sweep: Sweep) -> None:
        """Those that are open, and nobody works on any more."""
        for organization in await self._organizations(sweep.tenant, "status = ANY ($2::text[])", list(OPEN)):
            how = await self._ended(sweep, organization)
            if how is None:
                continue
            sweep.found(What.PROCESS_ENDED, organization.id, f"it is {organization.status}, and its process {how}")
            if sweep.mends:
                await self._close(sweep, organization, how)

    async def _ended(self, sweep: Sweep, organization: Organization) -> str | None:
        """How its process came to an end; None while it may go on, or is still to be started."""
        async with self.pool.acquire() as connection:
            if not await self.processes.is_started(connection, organization.process):
                return None
        state = await self.processes.asked(organization.process)
        if isinstance(state, Away):
            sweep.found(What.NOT_ASKED, organization.id, f"Temporal: {state.reason}", mended=False)
        return state.how if isinstance(state, Ended) else None

    async def _close(self, sweep: Sweep, organization: Organization, how: str) -> None:
        """As a failure would have: undone in reverse, then failed; with the first error, where there was one."""
        key = sweep.tenant, organization.id
        error = organization.error or f"the process was {how.replace('_', ' ')}"
        stage = organization.stage or ""
        await self.undoing.begin(*key, "failed", stage, error, _BY)
        for undo in ORDER:
            try:
                await self.undoing.undo(undo, *key, _BY)
            except Exception as trouble:
                await self.undoing.failed(undo, *key, describe(trouble), _BY)
        await self.undoing.finish(*key, "failed", stage, error, _BY)

    async def _rows(self, sweep: Sweep) -> None:
        """What is left of organisations that were not taken on."""
        left = {
            What.INVITATION_LEFT: (
                Undo.REVOKE_INVITATIONS,
                """id IN (SELECT organization_id FROM tidings.user_invitations_projection
                          WHERE tenant = $1 AND status = 'pending')""",
            ),
            What.PERMISSION_LEFT: (
                Undo.REVOKE_PERMISSIONS,
                """id IN (SELECT organization_id FROM tidings.organization_permissions_projection
                          WHERE tenant = $1 AND revoked_at IS NULL)""",
            ),
        }
        for what, (undo, condition) in left.items():
            for organization in await self._organizations(sweep.tenant, f"status IN {_CLOSED} AND {condition}"):
                sweep.found(what, organization.id, f"{organization.domain} was not taken on")
                if sweep.mends:
                    await self.undoing.undo(undo, sweep.tenant, organization.id, _BY)

    async def _zones(self, sweep: Sweep) -> None:
        """What the provider has under our mark, and what it should have."""
        if not self.dns.provider.keeps_records:
            return
        bases = {row.base_domain for row in await self._organizations(sweep.tenant, "true")}
        if (own := self.domains.get(sweep.tenant)) is not None:
            bases.add(own)
        for base in sorted(bases):
            try:
                zone = await self.dns.provider.zone(base)
            except ZoneMissing:
                continue
            await self._zone(sweep, base, zone, await self.dns.provider.records(zone, comment=MARK))

    async def _zone(self, sweep: Sweep, base: str, zone: Zone, records: list[Record]) -> None:
        known = {each.id: each for each in await self._organizations(sweep.tenant, "base_domain = $2", base)}
        for record in records:
            owner = marked(record.comment)
            organization = None if owner is None else known.get(owner)
            if organization is None:
                sweep.found(What.DNS_UNKNOWN, owner, f"{record.name}: nobody here knows whose it is", mended=False)
            elif organization.status in (Status.FAILED, Status.CANCELLED):
                sweep.found(What.DNS_LEFT, organization.id, f"{record.name} is left, though it was not taken on")
                if sweep.mends:
                    await self.dns.provider.delete(zone, record.id)
                    await self.undoing.undo(Undo.REMOVE_DNS, sweep.tenant, organization.id, _BY)
        for organization in known.values():
            if organization.status is Status.COMPLETED and organization.dns_record_ours:
                mine = [record for record in records if marked(record.comment) == organization.id]
                await self._complete(sweep, zone, organization, mine)

    async def _complete(self, sweep: Sweep, zone: Zone, organization: Organization, mine: list[Record]) -> None:
        """One that was taken on has its record, and it leads to us. One that leads elsewhere somebody changed, and may
        have had a reason."""
        target = target_of(organization.base_domain)
        if elsewhere := [record for record in mine if not same_name(record.content, target)]:
            detail = f"{organization.domain} leads to {elsewhere[0].content}"
            sweep.found(What.DNS_ELSEWHERE, organization.id, detail, mended=False)
        if mine:
            return
        if others := await self.dns.provider.records(zone, name=organization.domain):
            detail = f"{organization.domain} has a record of somebody else, which leads to {others[0].content}"
            sweep.found(What.DNS_ELSEWHERE, organization.id, detail, mended=False)
            return
        sweep.found(What.DNS_MISSING, organization.id, f"{organization.domain} has no record any more")
        if sweep.mends:
            await self._configure(sweep.tenant, organization)

    async def _configure(self, tenant: str, organization: Organization) -> None:
        async def nobody_left(owner: UUID) -> bool:
            return False

        made = await self.dns.configure(organization.id, organization.domain, organization.base_domain, nobody_left)
        async with self.undoing.held(tenant, organization.id, _BY) as (stream, _):
            data = {
                "fqdn": organization.domain,
                "target": target_of(organization.base_domain),
                "recordId": made.record.id,
                "zoneId": made.zone.id,
                "ours": made.ours,
                "proxied": made.record.proxied,
            }
            await stream.fact("organization.dns.configured", f"dns.configured:{made.record.id}", data)

    async def _organizations(self, tenant: str, condition: str, *values: Any) -> list[Organization]:
        async with self.pool.acquire() as connection:
            rows = await connection.fetch(
                f"SELECT * FROM tidings.organizations_projection WHERE tenant = $1 AND {condition} ORDER BY id",
                tenant,
                *values,
            )
        return [organization_of(row) for row in rows]


async def compare(pool: db.Pool, tenant: str, organization_id: UUID, *, mends: bool) -> list[str]:
    """Which projections of an organisation are not what its facts say. Mended, unless it is only to look."""
    async with pool.acquire() as connection:
        transaction = connection.transaction()
        await transaction.start()
        try:
            await connection.execute("SELECT set_config('tidings.tenant', $1, true)", tenant)
            await Stream(connection, tenant, organization_id).hold()
            before = await _snapshot(connection, organization_id)
            await connection.fetchval("SELECT tidings.rebuild_organization($1)", organization_id)
            after = await _snapshot(connection, organization_id)
            wrong = [name for name in _PROJECTIONS if before[name] != after[name]]
        except BaseException:
            await transaction.rollback()
            raise
        await (transaction.commit() if wrong and mends else transaction.rollback())
    return wrong


async def _snapshot(connection: db.Connection, organization_id: UUID) -> dict[str, Any]:
    found = {}
    for table, column in _PROJECTIONS.items():
        text = await connection.fetchval(
            f"SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)), '[]')::text FROM tidings.{table} t "
            f"WHERE t.{column} = $1",
            organization_id,
        )
        found[table] = json.loads(text)
    return found
