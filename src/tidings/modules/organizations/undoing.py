"""Taking steps back: by the process, by an intent where it gave up, and by the reconciler where it was ended.

Each is idempotent, and does not ask whether its step was done: it looks for what is there.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from tidings.kit import db
from tidings.modules.organizations.dns_records import DnsRecords
from tidings.modules.organizations.model import OPEN, Organization, Status, Undo
from tidings.modules.organizations.recording import Stream
from tidings.spine.outbox.handlers import KeyPolicy, Kind
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Dead, Outcome, Permanent, Succeeded

UNDO_KIND = "organization.undo"
_ATTEMPTS = 200
"""At an hour each, in the end: more than a week."""
ORDER = (Undo.REVOKE_INVITATIONS, Undo.REMOVE_DNS, Undo.REVOKE_PERMISSIONS, Undo.DEACTIVATE)


class OrganizationMissing(Permanent):
    """There is no such organisation."""


@dataclass(frozen=True)
class Undoing:
    pool: db.Pool
    dns: DnsRecords

    def kind(self) -> Kind:
        return Kind(UNDO_KIND, self.again, keys=KeyPolicy.REARM, max_attempts=_ATTEMPTS, retry_cap=timedelta(hours=1))

    async def again(self, intent: Intent) -> Outcome:
        """What a process could not undo."""
        try:
            undo = Undo(intent.data["undo"])
        except ValueError:
            return Dead(f"there is no way to undo {intent.data['undo']!r}")
        await self.undo(undo, intent.tenant, UUID(intent.data["organizationId"]))
        return Succeeded()

    async def undo(self, undo: Undo, tenant: str, organization_id: UUID, by: Mapping[str, Any] | None = None) -> str:
        """Of one that is complete, or that nobody gave up, nothing is undone."""
        async with self.held(tenant, organization_id, by) as (_, organization):
            if organization.status not in (Status.COMPENSATING, Status.FAILED, Status.CANCELLED):
                return f"it is {organization.status}"
        removed: list[str] = []
        if undo is Undo.REMOVE_DNS:
            removed = await self.dns.remove(organization_id, organization.domain, organization.base_domain)
        async with self.held(tenant, organization_id, by) as (stream, organization):
            return await _record(stream, organization, undo, removed)

    async def begin(
        self, tenant: str, organization_id: UUID, how: str, stage: str, error: str, by: Mapping[str, Any] | None = None
    ) -> bool:
        """From here on no step of it goes forward. Not of one that is complete, or closed already."""
        async with self.held(tenant, organization_id, by) as (stream, organization):
            if organization.status not in OPEN:
                return False
            about = {"how": how, "stage": stage, "error": error}
            await stream.fact("organization.bootstrap.compensating", "compensating", about)
            return True

    async def failed(
        self, undo: Undo, tenant: str, organization_id: UUID, error: str, by: Mapping[str, Any] | None = None
    ) -> None:
        """On record, and tried again by an intent."""
        async with self.held(tenant, organization_id, by) as (stream, _):
            about = {"step": str(undo), "error": error}
            await stream.fact("organization.undo.failed", f"undo.failed:{undo}", about)
            await schedule_undo(stream, undo)

    async def finish(
        self, tenant: str, organization_id: UUID, how: str, stage: str, error: str, by: Mapping[str, Any] | None = None
    ) -> str:
        """It has failed, or was cancelled; with the first error."""
        async with self.held(tenant, organization_id, by) as (stream, organization):
            if organization.status not in OPEN:
                return organization.status
            await stream.fact("organization.deactivated", "deactivated")
            about = {"stage": stage, "error": error, "leftOver": list(organization.left_over)}
            await stream.fact(f"organization.bootstrap.{how}", "closed", about)
            return how

    @asynccontextmanager
    async def held(
        self, tenant: str, organization_id: UUID, by: Mapping[str, Any] | None = None
    ) -> AsyncIterator[tuple[Stream, Organization]]:
        """A transaction that alone says what it becomes."""
        async with self.pool.acquire() as connection, db.as_tenant(connection, tenant):
            stream = Stream(connection, tenant, organization_id, by or {})
            organization = await stream.hold()
            if organization is None:
                raise OrganizationMissing(f"there is no organisation {organization_id} of {tenant}")
            yield stream, organization


async def schedule_undo(stream: Stream, undo: Undo) -> None:
    await stream.connection.execute(
        """SELECT tidings.schedule_own('organizations', ARRAY[$1::text],
               ARRAY[jsonb_build_object('organizationId', $2::text, 'undo', $3::text)],
               ARRAY[$4::text], ARRAY[now()])""",
        UNDO_KIND,
        str(stream.organization_id),
        str(undo),
        f"{stream.organization_id}:{undo}",
    )


async def _record(stream: Stream, organization: Organization, undo: Undo, removed: list[str]) -> str:
    match undo:
        case Undo.REVOKE_INVITATIONS:
            await _revoke_invitations(stream)
        case Undo.REMOVE_DNS:
            key = "dns.removed" if not removed else f"dns.removed:{','.join(sorted(removed))}"[:500]
            if removed or organization.subdomain_status != "removed":
                await stream.fact("organization.dns.removed", key, {"recordIds": removed, "fqdn": organization.domain})
        case Undo.REVOKE_PERMISSIONS:
            await stream.fact("organization.permissions.revoked", "permissions.revoked")
        case Undo.DEACTIVATE:
            await stream.fact("organization.deactivated", "deactivated")
    if str(undo) in organization.left_over:
        await stream.fact("organization.undo.done", f"undo.done:{undo}", {"step": str(undo)})
    return "done"


async def _revoke_invitations(stream: Stream) -> None:
    rows = await stream.connection.fetch(
        """SELECT id FROM tidings.user_invitations_projection
           WHERE tenant = $1 AND organization_id = $2 AND status = 'pending' ORDER BY id""",
        stream.tenant,
        stream.organization_id,
    )
    for row in rows:
        about = {"invitationId": str(row["id"]), "reason": "the bootstrap was undone"}
        await stream.fact("invitation.revoked", f"revoked:{row['id']}", about)
