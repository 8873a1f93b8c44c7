"""What the module writes: facts, on the stream of their organisation. They carry ids of people, not addresses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import asyncpg

from tidings.kit.db import Connection
from tidings.modules.organizations.model import MODULE, STREAM, Organization, Status, Type
from tidings.spine.outbox.intents import Row

_PLAIN = (
    "id",
    "name",
    "parent_id",
    "contact_id",
    "base_domain",
    "subdomain",
    "active",
    "subdomain_status",
    "dns_record_id",
    "dns_record_ours",
    "dns_timeout",
    "stage",
    "error",
    "version",
    "created_at",
    "updated_at",
    "closed_at",
)


class SubdomainTaken(Exception):
    """Another organisation has this subdomain."""


@dataclass(frozen=True)
class Stream:
    """The facts of one organisation, in a transaction of its tenant. `metadata`: who, or which process, says so."""

    connection: Connection
    tenant: str
    organization_id: UUID
    metadata: Mapping[str, Any] = field(default_factory=dict)

    async def hold(self) -> Organization | None:
        """It, as it stays until this transaction ends; None where there is none."""
        await self.connection.execute("SELECT tidings.hold_organization($1)", self.organization_id)
        return await self.read()

    async def read(self) -> Organization | None:
        row = await self.connection.fetchrow(
            "SELECT * FROM tidings.organizations_projection WHERE tenant = $1 AND id = $2",
            self.tenant,
            self.organization_id,
        )
        return None if row is None else organization_of(row)

    async def fact(self, type: str, key: str, data: Mapping[str, Any] | None = None) -> UUID:
        """Recorded once for its type and key, however often it is said."""
        try:
            fact: UUID = await self.connection.fetchval(
                "SELECT tidings.emit_own($1, $2, $3::text::jsonb, $4, $5, $6, $7::text::jsonb)",
                MODULE,
                type,
                json.dumps({"organizationId": str(self.organization_id), **(data or {})}),
                STREAM,
                str(self.organization_id),
                key,
                json.dumps(dict(self.metadata)),
            )
        except asyncpg.ExclusionViolationError as error:
            raise SubdomainTaken from error
        return fact


def organization_of(row: Row) -> Organization:
    return Organization(
        **{name: row[name] for name in _PLAIN},
        type=Type(row["type"]),
        status=Status(row["status"]),
        path=tuple(row["path"]),
        left_over=tuple(row["left_over"]),
    )
