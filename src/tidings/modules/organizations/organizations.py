"""The organisations of one tenant, as their facts say: read, cancelled, told to go on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, NotFound
from tidings.kit.paging import Page, page_of
from tidings.modules.organizations.model import STREAM, Organization, Status
from tidings.modules.organizations.process.contracts import CANCEL, RETRY_DNS
from tidings.modules.organizations.recording import Stream, organization_of

# Above another is what its path begins with. The same path has whoever had the subdomain before, and was not taken on.
_ABOVE = """(up.id = o.id OR (up.base_domain = o.base_domain AND cardinality(o.path) > cardinality(up.path)
    AND o.path[1:cardinality(up.path)] = up.path))"""
_VISIBLE = f"""
($2::uuid IS NULL OR EXISTS (
    SELECT FROM tidings.user_invitations_projection i
    JOIN tidings.organizations_projection up ON up.id = i.organization_id
    WHERE i.user_id = $2 AND i.status = 'accepted' AND up.active AND {_ABOVE}))
"""
_PERMITTED = f"""
SELECT EXISTS (
    SELECT FROM tidings.organizations_projection o
    JOIN tidings.organizations_projection up ON up.tenant = o.tenant AND {_ABOVE}
    JOIN tidings.user_invitations_projection i ON i.organization_id = up.id AND i.status = 'accepted'
    JOIN tidings.organization_permissions_projection p ON p.organization_id = up.id AND p.role = i.role
        AND p.revoked_at IS NULL
    WHERE o.tenant = $1 AND o.id = $3 AND i.user_id = $2 AND up.active AND p.permission = $4)
"""


@dataclass(frozen=True)
class Viewer:
    """Who looks. `user_id` is None for those who may see all of the tenant."""

    user_id: UUID | None


@dataclass(frozen=True)
class OrganizationFilter:
    status: Status | None = None
    parent_id: UUID | None = None


@dataclass(frozen=True)
class Fact:
    """One of the facts of an organisation."""

    id: UUID
    version: int
    type: str
    data: dict[str, Any]
    actor: str | None
    occurred_at: datetime


@dataclass(frozen=True)
class Organizations:
    connection: Connection
    tenant: str
    actor: str | None = None

    async def list(
        self, who: Viewer, wanted: OrganizationFilter, before: tuple[datetime, UUID] | None, limit: int
    ) -> Page[Organization]:
        """The newest first."""
        rows = await self.connection.fetch(
            f"""SELECT o.* FROM tidings.organizations_projection o
                WHERE o.tenant = $1 AND {_VISIBLE} AND ($3::text IS NULL OR o.status = $3)
                    AND ($4::uuid IS NULL OR o.parent_id = $4)
                    AND ($5::timestamptz IS NULL OR (o.created_at, o.id) < ($5, $6::uuid))
                ORDER BY o.created_at DESC, o.id DESC LIMIT $7""",
            self.tenant,
            who.user_id,
            wanted.status,
            wanted.parent_id,
            None if before is None else before[0],
            None if before is None else before[1],
            limit + 1,
        )
        return page_of(
            [organization_of(row) for row in rows], limit, lambda each: (each.created_at.isoformat(), str(each.id))
        )

    async def get(self, who: Viewer, id: UUID) -> Organization:
        row = await self.connection.fetchrow(
            f"SELECT o.* FROM tidings.organizations_projection o WHERE o.tenant = $1 AND {_VISIBLE} AND o.id = $3",
            self.tenant,
            who.user_id,
            id,
        )
        if row is None:
            raise NotFound("There is no such organisation.")
        return organization_of(row)

    async def may(self, who: Viewer, id: UUID, permission: str) -> bool:
        """Whether they may, by their role there or in an organisation above it."""
        if who.user_id is None:
            return True
        found: bool = await self.connection.fetchval(_PERMITTED, self.tenant, who.user_id, id, permission)
        return found

    async def names(self, ids: Sequence[UUID]) -> dict[UUID, str]:
        """What people are called."""
        rows = await self.connection.fetch(
            "SELECT id, name FROM tidings.people WHERE tenant = $1 AND id = ANY ($2::uuid[])", self.tenant, list(ids)
        )
        return {row["id"]: row["name"] for row in rows}

    async def facts(self, id: UUID) -> Sequence[Fact]:
        """All of its stream, in order."""
        rows = await self.connection.fetch(
            """SELECT id, stream_version, type, data::text AS data, coalesce(metadata ->> 'actor',
                   metadata ->> 'workflow_id') AS actor, occurred_at FROM tidings.facts
               WHERE tenant = $1 AND stream_type = $2 AND stream_id = $3 ORDER BY stream_version LIMIT 1000""",
            self.tenant,
            STREAM,
            str(id),
        )
        return [
            Fact(
                row["id"], row["stream_version"], row["type"], json.loads(row["data"]), row["actor"], row["occurred_at"]
            )
            for row in rows
        ]

    async def cancel(self, organization: Organization) -> Status:
        """Undoes what was done; of one that has not begun, nothing has to be. `Conflict` for one that is complete.

        Cancelled again, it stays so.
        """
        stream = Stream(self.connection, self.tenant, organization.id, self._metadata)
        now = await stream.hold()
        assert now is not None
        if now.status is Status.COMPLETED:
            raise Conflict("The organisation is complete, and its bootstrap cannot be cancelled any more.")
        if now.status in (Status.COMPENSATING, Status.FAILED, Status.CANCELLED):
            return now.status
        if now.status is Status.INITIATED:
            await self._cancel_start(organization.process)  # one that starts in spite of it finds nothing to do
            about = {"stage": "", "error": "it was cancelled before it began", "leftOver": list[str]()}
            await stream.fact("organization.bootstrap.cancelled", "closed", about)
            return Status.CANCELLED
        await stream.fact("organization.cancellation.requested", "cancellation.requested")
        await self._signal(organization.process, CANCEL, "it was cancelled")
        return now.status

    async def retry_dns(self, organization: Organization) -> None:
        """Looks whether DNS has propagated now, not at the next time. `Conflict` where nobody waits for that."""
        if organization.status is not Status.RUNNING or organization.subdomain_status != "configured":
            raise Conflict("The bootstrap does not wait for DNS.")
        await self._signal(organization.process, RETRY_DNS, None)

    async def _cancel_start(self, process: str) -> None:
        await self.connection.execute(
            "SELECT tidings.cancel_own('processes', 'process.start', $1, 'the bootstrap was cancelled')", process
        )

    async def _signal(self, process: str, signal: str, argument: str | None) -> None:
        await self.connection.execute(
            "SELECT tidings.signal_process($1, $2, $3::text::jsonb)", process, signal, json.dumps(argument)
        )

    @property
    def _metadata(self) -> dict[str, Any]:
        return {} if self.actor is None else {"actor": self.actor}
