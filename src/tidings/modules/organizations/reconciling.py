"""Looking for what should not be there: what a process that was ended left behind, and what took effect too late.

One sweep of a tenant. It compares DNS, invitations, permissions and projections with the journal, says what is wrong,
and mends it unless it is only to look. A bootstrap that is open is touched only where Temporal says that its process
has come to an end; a DNS record only where it carries the id of an organisation of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

import structlog

from tidings.kit import db
from tidings.modules.organizations.dns_records import DnsRecords
from tidings.modules.organizations.findings import Finding, Sweep, What
from tidings.modules.organizations.model import OPEN, RECONCILER, Organization, Undo
from tidings.modules.organizations.projections import Tell, compare, differing
from tidings.modules.organizations.reconciling_dns import DnsReconciler
from tidings.modules.organizations.recording import Stream, organization_of
from tidings.modules.organizations.requests import RECONCILE
from tidings.modules.organizations.undoing import ORDER, Undoing
from tidings.spine.outbox.handlers import KeyPolicy, Kind
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Again, Outcome, describe
from tidings.spine.processes.states import Away, Ended, Processes

__all__ = ["Finding", "Reconciler", "Sweep", "What", "compare"]
log = structlog.get_logger("tidings.organizations")
_CLOSED = "('failed', 'cancelled')"
_ATTEMPTS = 10_000
"""At an hour each, in the end: whatever it fails of, it must not stop looking."""


@dataclass(frozen=True)
class Reconciler:
    pool: db.Pool
    dns: DnsRecords
    undoing: Undoing
    processes: Processes
    domains: Mapping[str, str]
    every: timedelta

    def kind(self) -> Kind:
        return Kind(
            RECONCILE,
            self.look_again,
            keys=KeyPolicy.REARM,
            concurrency=2,
            timeout=timedelta(minutes=30),
            max_attempts=_ATTEMPTS,
        )

    async def look_again(self, intent: Intent) -> Outcome:
        """From the first request of the tenant on, for ever."""
        for each in await self.sweep(intent.tenant, mends=True):
            say = log.info if each.what is What.DNS_UNKNOWN else log.warning
            say(
                "reconciled" if each.mended else "not reconciled",
                tenant=intent.tenant,
                what=str(each.what),
                organization=str(each.organization_id),
                detail=each.detail,
            )
        async with self.pool.acquire() as connection:
            return Again(await connection.fetchval("SELECT now() + $1::interval", self.every))

    async def sweep(self, tenant: str, *, mends: bool, tell: Tell = lambda done, of: None) -> list[Finding]:
        """Everything that is wrong, in the order in which it is looked for. `tell` is told of the projections."""
        sweep = Sweep(tenant, mends)
        for each in await differing(self.pool, tenant, mends=mends, tell=tell):
            detail = ", ".join(each.projections)
            sweep.findings.append(Finding(What.PROJECTION_DIFFERS, each.organization_id, detail, each.mended))
        await self._processes(sweep)
        await self._rows(sweep)
        looking = DnsReconciler(self.dns, self.undoing, self.domains)
        await looking.look(sweep, await self._organizations(tenant, "true"))
        await self._left_over(sweep)
        return sweep.findings

    async def _processes(self, sweep: Sweep) -> None:
        """Those that are open, and nobody works on any more."""
        for organization in await self._organizations(sweep.tenant, "status = ANY ($2::text[])", list(OPEN)):
            how = await self._ended(sweep, organization)
            if how is not None:
                detail = f"it is {organization.status}, and its process {_worded(how)}"
                closing = partial(self._close, sweep.tenant, organization, how)
                await sweep.mended(What.PROCESS_ENDED, organization.id, detail, closing)

    async def _ended(self, sweep: Sweep, organization: Organization) -> str | None:
        """How its process came to an end; None while it may go on, or is still to be started."""
        async with self.pool.acquire() as connection:
            if not await self.processes.is_started(connection, organization.process):
                return None
        state = await self.processes.asked(organization.process)
        if isinstance(state, Away):
            sweep.told(What.NOT_ASKED, organization.id, f"Temporal: {state.reason}")
        if not isinstance(state, Ended):
            return None
        async with self.pool.acquire() as connection:  # it may have come to its end between our looking and asking
            now = await Stream(connection, sweep.tenant, organization.id).read()
        return state.how if now is not None and now.status in OPEN else None

    async def _close(self, tenant: str, organization: Organization, how: str) -> None:
        """As a failure would have: undone in reverse, then failed; with the first error, where there was one."""
        key = tenant, organization.id
        error = organization.error or f"the process {_worded(how)}"
        stage = organization.stage or ""
        await self.undoing.begin(*key, "failed", stage, error, RECONCILER)
        for undo in ORDER:
            try:
                await self.undoing.undo(undo, *key, RECONCILER)
            except Exception as trouble:
                await self.undoing.failed(undo, *key, describe(trouble), RECONCILER)
        await self.undoing.finish(*key, "failed", stage, error, RECONCILER)

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
                undoing = partial(self.undoing.undo, undo, sweep.tenant, organization.id, RECONCILER)
                await sweep.mended(what, organization.id, f"{organization.domain} was not taken on", undoing)

    async def _left_over(self, sweep: Sweep) -> None:
        """What is on record as not undone, and is still so: whoever was to try again may have given up."""
        for organization in await self._organizations(sweep.tenant, f"status IN {_CLOSED} AND left_over <> '{{}}'"):
            for undo in map(Undo, organization.left_over):
                undoing = partial(self.undoing.undo, undo, sweep.tenant, organization.id, RECONCILER)
                await sweep.mended(What.UNDO_LEFT, organization.id, f"{undo} was not done yet", undoing)

    async def _organizations(self, tenant: str, condition: str, *values: Any) -> list[Organization]:
        async with self.pool.acquire() as connection:
            rows = await connection.fetch(
                f"SELECT * FROM tidings.organizations_projection WHERE tenant = $1 AND {condition} ORDER BY id",
                tenant,
                *values,
            )
        return [organization_of(row) for row in rows]


def _worded(how: str) -> str:
    """How a process came to its end, as one says it."""
    words = {
        "completed": "has completed",
        "failed": "has failed",
        "timed_out": "has timed out",
        "canceled": "was cancelled",
        "forgotten": "is unknown to Temporal",
    }
    return words.get(how, f"was {how.replace('_', ' ')}")
