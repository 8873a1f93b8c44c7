"""The module `organizations`, wired: what its requests need, and what a worker does for its bootstraps."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tidings.kit.db import Connection, Pool
from tidings.kit.settings import Settings
from tidings.modules.organizations.model import Roles
from tidings.modules.organizations.process.contracts import Limits
from tidings.modules.organizations.requests import Domains, Requests

if TYPE_CHECKING:  # a command that needs only some of it does not pay for all
    from tidings.kit.crypto import Keyring
    from tidings.modules.organizations.dns.port import DnsProvider
    from tidings.modules.organizations.dns_records import DnsRecords
    from tidings.modules.organizations.process.activities import BootstrapActivities
    from tidings.modules.organizations.reconciling import Reconciler
    from tidings.spine.outbox.handlers import Kind
    from tidings.spine.processes.connecting import Temporal


def limits_of(settings: Settings) -> Limits:
    """What a bootstrap that begins now goes by, to its end."""
    ours = settings.organizations
    return Limits(
        propagation=ours.propagation_wait,
        verify_every=ours.verify_every,
        verify_tries=ours.verify_tries,
        mails=ours.mail_wait,
        total=ours.bootstrap_limit,
    )


def build_requests(settings: Settings, connection: Connection, tenant: str, actor: str | None) -> Requests:
    ours = settings.organizations
    domains = Domains(ours.domains, frozenset(ours.reserved))
    return Requests(connection, tenant, domains, limits_of(settings), ours.reconcile_every, actor)


@dataclass(frozen=True)
class Bootstraps:
    """What a worker does for them."""

    activities: BootstrapActivities
    reconciler: Reconciler
    provider: DnsProvider

    def kinds(self) -> Sequence[Kind]:
        return [self.reconciler.undoing.kind(), self.reconciler.kind()]

    async def begin(self, pool: Pool) -> None:
        """To be called now and then. A dead letter must not be the end of it: nobody else would look any more."""
        from tidings.modules.organizations.recurring import begin_reconciling

        await begin_reconciling(pool, self.reconciler.every)

    async def close(self) -> None:
        await self.provider.close()


def open_bootstraps(settings: Settings, pool: Pool, keyring: Keyring, temporal: Temporal) -> Bootstraps:
    """To be closed at the end."""
    from tidings.modules.organizations.dns.opening import open_dns, open_verifier
    from tidings.modules.organizations.dns_records import DnsRecords
    from tidings.modules.organizations.process.activities import BootstrapActivities
    from tidings.modules.organizations.tokens import open_invitation_tokens

    provider, ours = open_dns(settings, pool), settings.organizations
    dns = DnsRecords(provider)
    activities = BootstrapActivities(
        pool,
        dns,
        open_verifier(settings, provider),
        open_invitation_tokens(keyring),
        Roles(ours.roles),
        ours.invitation_lifetime,
    )
    return Bootstraps(activities, _reconciler(settings, pool, dns, temporal), provider)


@asynccontextmanager
async def reconciling(settings: Settings, pool: Pool) -> AsyncIterator[Reconciler]:
    """For one look, by somebody who is no worker."""
    from tidings.modules.organizations.dns.opening import open_dns
    from tidings.modules.organizations.dns_records import DnsRecords
    from tidings.spine.access.data_keys import unlocked
    from tidings.spine.access.purposes import PROCESSES
    from tidings.spine.processes.connecting import Temporal

    keyring = await unlocked(settings, pool)
    provider = open_dns(settings, pool)
    try:
        temporal = Temporal(settings.temporal, keyring.vault(PROCESSES))
        yield _reconciler(settings, pool, DnsRecords(provider), temporal)
    finally:
        await provider.close()


def _reconciler(settings: Settings, pool: Pool, dns: DnsRecords, temporal: Temporal) -> Reconciler:
    from tidings.modules.organizations.reconciling import Reconciler
    from tidings.modules.organizations.undoing import Undoing
    from tidings.spine.processes.states import Processes

    ours = settings.organizations
    return Reconciler(pool, dns, Undoing(pool, dns), Processes(temporal), ours.domains, ours.reconcile_every)
