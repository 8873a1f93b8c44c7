"""Asking for an organisation: checked, its subdomain taken, and its bootstrap on its way, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Fault, ValidationFailed
from tidings.modules.organizations.dns_records import target_of
from tidings.modules.organizations.model import WORKFLOW, InvitedRole, Type, process_of
from tidings.modules.organizations.process.contracts import BootstrapInput, Limits
from tidings.modules.organizations.recording import Stream, SubdomainTaken
from tidings.spine.notify.people.addresses import NewAddress

RECONCILE = "organization.reconcile"
_USER_TYPE = "organization"
"""Of people whom nobody knew before they were invited."""
# Two who ask at once would each make a person of somebody whom both invite, or wait for each other's subdomain.
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('organizations/' || $1::text, 0))"
_KNOWN = """
SELECT p.id AS person_id, a.id AS address_id FROM tidings.addresses a JOIN tidings.people p ON p.id = a.person_id
WHERE a.tenant = $1 AND a.kind = 'email' AND a.fingerprint = $2 ORDER BY p.user_id IS NULL, p.id LIMIT 1
"""
_NEW = """
WITH person AS (
    INSERT INTO tidings.people (tenant, user_type, name) VALUES ($1, $2, $3) RETURNING id
)
INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
SELECT $1, id, 'email', $4, $5 FROM person RETURNING person_id, id AS address_id
"""
_TAKEN = """
SELECT EXISTS (SELECT FROM tidings.organizations_projection
               WHERE tenant = $1 AND base_domain = $2 AND subdomain = $3 AND holds_subdomain)
"""


class SubdomainTakenAlready(Conflict):
    """This subdomain is taken."""

    slug = "subdomain-taken"


class NoDomain(Conflict):
    """This tenant has no domain for organisations yet; an operator names one in TIDINGS_ORGANIZATIONS_DOMAINS."""

    slug = "no-domain"


@dataclass(frozen=True, repr=False)
class NewUser:
    email: NewAddress
    name: str
    role: InvitedRole


@dataclass(frozen=True, repr=False)
class NewOrganization:
    name: str
    type: Type
    parent_id: UUID | None
    contact: NewAddress
    subdomain: str
    users: Sequence[NewUser]
    dns_timeout: timedelta


@dataclass(frozen=True)
class Mailbox:
    """Whose it is, and by which id: what facts may carry of it."""

    person_id: UUID
    address_id: UUID


@dataclass(frozen=True)
class Domains:
    """Which domain each tenant takes organisations on under, and the names that nobody may have."""

    of: Mapping[str, str]
    reserved: frozenset[str]

    def reserves(self, subdomain: str, base: str) -> bool:
        """Also what would lead to ourselves, be the domain of another tenant, or read as letters that it has not."""
        whole = f"{subdomain}.{base}"
        ours = whole == target_of(base) or whole in self.of.values()
        return ours or subdomain in self.reserved or subdomain.startswith("xn--")


@dataclass(frozen=True)
class Requests:
    connection: Connection
    tenant: str
    domains: Domains
    limits: Limits
    reconcile_every: timedelta
    actor: str | None = None

    async def bootstrap(self, wanted: NewOrganization) -> UUID:
        """Accepted, and so it will run, whatever is down now. `Conflict` for a subdomain that somebody has."""
        base = self.base_domain()
        await self.connection.execute(_ONE_AT_A_TIME, self.tenant)
        await self._check(base, wanted)
        if await self._is_taken(base, wanted.subdomain):
            raise taken(wanted.subdomain)
        id = uuid4()  # noqa: A001
        contact, people = await self._people(wanted)
        try:
            await self._initiate(id, base, wanted, contact, people)
        except SubdomainTaken:
            raise taken(wanted.subdomain) from None
        given = BootstrapInput(
            tenant=self.tenant,
            organization_id=str(id),
            limits=self.limits.model_copy(update={"dns_timeout": wanted.dns_timeout}),
        )
        await self.connection.execute(
            "SELECT tidings.start_process($1, $2, $3::text::jsonb)",
            process_of(id),
            WORKFLOW,
            given.model_dump_json(by_alias=True),
        )
        await self._see_to_reconciling()
        return id

    async def availability(self, subdomain: str) -> str | None:
        """Why nobody can have this subdomain; None where they can."""
        base = self.base_domain()
        if self.domains.reserves(subdomain, base):
            return "is reserved"
        return "is taken" if await self._is_taken(base, subdomain) else None

    def base_domain(self) -> str:
        base = self.domains.of.get(self.tenant)
        if base is None:
            raise NoDomain
        return base

    async def _check(self, base: str, wanted: NewOrganization) -> None:
        faults = []
        if self.domains.reserves(wanted.subdomain, base):
            faults.append(Fault("subdomain", "is reserved"))
        if wanted.parent_id is not None and not await self._is_parent(wanted.parent_id):
            faults.append(Fault("parentId", "there is no such organisation, or it is not active"))
        if faults:
            raise ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), tuple(faults))

    async def _is_parent(self, id: UUID) -> bool:
        found: bool = await self.connection.fetchval(
            "SELECT EXISTS (SELECT FROM tidings.organizations_projection WHERE tenant = $1 AND id = $2 AND active)",
            self.tenant,
            id,
        )
        return found

    async def _is_taken(self, base: str, subdomain: str) -> bool:
        found: bool = await self.connection.fetchval(_TAKEN, self.tenant, base, subdomain)
        return found

    async def _people(self, wanted: NewOrganization) -> tuple[UUID, list[Mailbox]]:
        """Who is told and invited: those whom we know, by their address, or new ones."""
        people = [await self._mailbox(user.email, user.name) for user in wanted.users]
        return (await self._mailbox(wanted.contact, wanted.name)).person_id, people

    async def _mailbox(self, email: NewAddress, name: str) -> Mailbox:
        row = await self.connection.fetchrow(_KNOWN, self.tenant, email.fingerprint)
        if row is None:
            new = self.tenant, _USER_TYPE, name, email.value, email.fingerprint
            row = await self.connection.fetchrow(_NEW, *new)
        assert row is not None
        return Mailbox(row["person_id"], row["address_id"])

    async def _initiate(
        self, id: UUID, base: str, wanted: NewOrganization, contact: UUID, people: Sequence[Mailbox]
    ) -> None:
        data: dict[str, Any] = {
            "name": wanted.name,
            "type": wanted.type,
            "parentId": None if wanted.parent_id is None else str(wanted.parent_id),
            "contactId": str(contact),
            "baseDomain": base,
            "subdomain": wanted.subdomain,
            "users": [
                {"personId": str(at.person_id), "addressId": str(at.address_id), "role": user.role}
                for at, user in zip(people, wanted.users, strict=True)
            ],
            "dnsPropagationTimeout": wanted.dns_timeout.total_seconds(),
        }
        metadata = {} if self.actor is None else {"actor": self.actor}
        stream = Stream(self.connection, self.tenant, id, metadata)
        await stream.fact("organization.bootstrap.initiated", "initiated", data)

    async def _see_to_reconciling(self) -> None:
        await self.connection.execute(
            """SELECT tidings.schedule_own('organizations', ARRAY[$1::text], ARRAY['{}'::jsonb], ARRAY['all'],
                   ARRAY[now() + $2::interval])""",
            RECONCILE,
            self.reconcile_every,
        )


def taken(subdomain: str) -> Conflict:
    return SubdomainTakenAlready(f"The subdomain {subdomain} is taken.")
