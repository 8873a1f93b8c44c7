"""Organisations that are asked for, and what became of them: in the journal, in the projections and at the provider."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from temporalio.api.testservice.v1 import UnlockTimeSkippingRequest
from temporalio.client import WorkflowFailureError, WorkflowHandle
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from tests.modules.organizations.dns.servers.resolver import Resolver
from tests.support.temporal import Stage, leaping, until
from tidings.kit import db
from tidings.kit.crypto import Keyring
from tidings.kit.settings import OrganizationSettings
from tidings.modules.organizations.dns.memory import MemoryDns
from tidings.modules.organizations.dns.port import DnsProvider
from tidings.modules.organizations.dns.verifying import Verifier
from tidings.modules.organizations.dns_records import DnsRecords
from tidings.modules.organizations.model import DNS_TIMEOUT, InvitedRole, Organization, Roles, Type, process_of
from tidings.modules.organizations.organizations import Organizations
from tidings.modules.organizations.process.activities import BootstrapActivities
from tidings.modules.organizations.process.contracts import Limits
from tidings.modules.organizations.process.workflow import OrganizationBootstrapWorkflow
from tidings.modules.organizations.reconciling import Finding, Reconciler
from tidings.modules.organizations.recording import Stream
from tidings.modules.organizations.requests import Domains, NewOrganization, NewUser, Requests
from tidings.modules.organizations.tokens import InvitationTokens, open_invitation_tokens
from tidings.modules.organizations.undoing import Undoing
from tidings.spine.notify.people.addresses import of_email
from tidings.spine.processes.answers import implemented
from tidings.spine.processes.running import Performing
from tidings.spine.processes.states import Processes
from tidings.testing import adrain

TENANT = "default"
BASE = "example.org"
SETTINGS = OrganizationSettings()
EVERY = timedelta(minutes=15)


class SeenOutside(MemoryDns):
    """In memory, and yet resolvers are asked for what is in it."""

    asks_the_world = True


def activities(
    pool: db.Pool, keyring: Keyring, provider: DnsProvider, resolvers: Sequence[str] = ()
) -> BootstrapActivities:
    return BootstrapActivities(
        pool,
        DnsRecords(provider),
        Verifier(provider, tuple(resolvers), 2, timedelta(seconds=5)),
        open_invitation_tokens(keyring),
        Roles(SETTINGS.roles),
        SETTINGS.invitation_lifetime,
    )


def performing(of: BootstrapActivities) -> Performing:
    return Performing([OrganizationBootstrapWorkflow], of.all())


def wanted(subdomain: str = "north", **changed: Any) -> NewOrganization:
    """With an admin and a member, but for what is given."""
    users = (
        NewUser(of_email(f"admin@{subdomain}.example.com"), "The admin", InvitedRole.PROVIDER_ADMIN),
        NewUser(of_email(f"member@{subdomain}.example.com"), "The member", InvitedRole.MEMBER),
    )
    whole: dict[str, Any] = {
        "name": f"The {subdomain} clinic",
        "type": Type.PROVIDER,
        "parent_id": None,
        "contact": of_email(f"contact@{subdomain}.example.com"),
        "subdomain": subdomain,
        "users": users,
        "dns_timeout": DNS_TIMEOUT,
    }
    return NewOrganization(**(whole | changed))


@dataclass(frozen=True)
class State:
    """What there is of an organisation, wherever something of it can be."""

    status: str
    active: bool
    subdomain_status: str
    holds_subdomain: bool
    error: str | None
    records: int
    granted: int
    invitations: Mapping[str, int]
    left_over: Sequence[str]
    facts: Sequence[str]


@dataclass(frozen=True)
class Founder:
    """Somebody who asks for organisations, and looks."""

    pool: db.Pool
    provider: DnsProvider = field(default_factory=MemoryDns)
    limits: Limits = field(default_factory=Limits)

    async def ask(self, subdomain: str = "north", **changed: Any) -> UUID:
        async with self.transaction() as connection:
            requests = Requests(
                connection, TENANT, Domains({TENANT: BASE}, frozenset({"www"})), self.limits, EVERY, "user:tests"
            )
            return await requests.bootstrap(wanted(subdomain, **changed))

    async def cancel(self, id: UUID) -> str:
        async with self.transaction() as connection:
            organization = await Stream(connection, TENANT, id).read()
            assert organization is not None
            return await Organizations(connection, TENANT, "user:tests").cancel(organization)

    async def refuse_mail(self, *addresses: str) -> None:
        """These have bounced before, and so nothing is sent there."""
        async with self.transaction() as connection:
            await connection.executemany(
                """INSERT INTO tidings.suppressions (tenant, kind, fingerprint, value, reason)
                   VALUES ($1, 'email', $2, $2, 'bounced')""",
                [(TENANT, of_email(address).fingerprint) for address in addresses],
            )

    async def organization(self, id: UUID) -> Organization:
        async with self.transaction() as connection:
            organization = await Stream(connection, TENANT, id).read()
        assert organization is not None
        return organization

    async def facts(self, id: UUID) -> list[tuple[str, dict[str, Any]]]:
        """In the order of the stream."""
        rows = await self.pool.fetch(
            "SELECT type, data FROM tidings.facts WHERE stream_type = 'organization' AND stream_id = $1 "
            "ORDER BY stream_version",
            str(id),
        )
        return [(row["type"], json.loads(row["data"])) for row in rows]

    async def state(self, id: UUID) -> State:
        organization = await self.organization(id)
        zone = await self.provider.zone(BASE)
        records = await self.provider.records(zone, name=organization.domain, comment=f"tidings-organization:{id}")
        granted = await self.pool.fetchval(
            """SELECT count(*) FROM tidings.organization_permissions_projection
               WHERE organization_id = $1 AND revoked_at IS NULL""",
            id,
        )
        invited = await self.pool.fetch(
            """SELECT status, count(*) AS many FROM tidings.user_invitations_projection
               WHERE organization_id = $1 GROUP BY status""",
            id,
        )
        holds = await self.pool.fetchval(
            "SELECT holds_subdomain FROM tidings.organizations_projection WHERE id = $1", id
        )
        return State(
            organization.status,
            organization.active,
            organization.subdomain_status,
            holds,
            organization.error,
            len(records),
            granted,
            {row["status"]: row["many"] for row in invited},
            organization.left_over,
            [fact for fact, _ in await self.facts(id)],
        )

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[db.Connection]:
        async with self.pool.acquire() as connection, db.as_tenant(connection, TENANT):
            yield connection


@dataclass(frozen=True)
class Saga:
    """A stage with a founder in front of it, where waits take no time."""

    stage: Stage
    skipping: WorkflowEnvironment
    founder: Founder

    @property
    def pool(self) -> db.Pool:
        return self.stage.pool

    @property
    def tokens(self) -> InvitationTokens:
        return open_invitation_tokens(self.stage.keyring)

    @property
    def reconciler(self) -> Reconciler:
        dns = DnsRecords(self.founder.provider)
        return Reconciler(
            self.pool, dns, Undoing(self.pool, dns), Processes(self.stage.temporal), {TENANT: BASE}, EVERY
        )

    async def reconcile(self, *, mends: bool = True) -> list[Finding]:
        return await self.reconciler.sweep(TENANT, mends=mends)

    async def ended(self, id: UUID) -> Mapping[str, Any] | None:
        """What it returned, once it has come to its end; None where it failed or was cancelled in Temporal."""
        return (await self.all_ended(id))[0]

    async def all_ended(self, *ids: UUID) -> list[Mapping[str, Any] | None]:
        async with leaping(self.skipping):
            return await asyncio.gather(*(self._result(id) for id in ids))  # noqa: A001

    async def _result(self, id: UUID) -> Mapping[str, Any] | None:
        try:
            result: Mapping[str, Any] = await self.skipping.client.get_workflow_handle(process_of(id)).result()
        except WorkflowFailureError:
            return None
        return result

    async def terminate(self, id: UUID) -> None:
        """From within an activity of its own, of which the server never hears the end: it would let no time pass."""
        await self.skipping.client.get_workflow_handle(process_of(id)).terminate()
        await self.skipping.client.service_client.test_service.unlock_time_skipping(UnlockTimeSkippingRequest())

    def changed(self, **limits: Any) -> Saga:
        """The same, where bootstraps that are asked for from now on have other limits."""
        return replace(self, founder=replace(self.founder, limits=self.founder.limits.model_copy(update=limits)))

    async def handle(self, id: UUID) -> WorkflowHandle[Any, Any]:
        return await self.stage.handle(process_of(id))

    def with_dns(self, provider: DnsProvider) -> Saga:
        return replace(self, founder=replace(self.founder, provider=provider))

    def performed(self, *resolvers: Resolver) -> AbstractAsyncContextManager[Worker]:
        """While it is open, bootstraps run, and these are asked for new names."""
        servers = [each.server for each in resolvers]
        of = activities(self.pool, self.stage.keyring, self.founder.provider, servers)
        return self.stage.performed(performing(of))

    async def send_mails(self) -> None:
        """Into the sandbox, and tells the process of it."""
        await adrain(self.stage.settings, *self.stage.kinds, ahead=timedelta(seconds=3))

    async def comes_to(self, id: UUID, *facts: str) -> None:
        """Waits until these are on record."""

        async def recorded() -> bool:
            return {fact for fact, _ in await self.founder.facts(id)} >= set(facts)

        await until(recorded)

    def troubled(self, trouble: Callable[[str, Callable[..., Any]], Callable[..., Any]]) -> Performing:
        """The same activities, each as `trouble` makes it, by the name of its contract."""
        of = activities(self.pool, self.stage.keyring, self.founder.provider)
        functions = [implemented(contract, trouble(contract.name, function)) for contract, function in of.functions()]
        return Performing([OrganizationBootstrapWorkflow], functions)
