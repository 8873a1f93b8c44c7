"""The steps of a bootstrap one by one, as its process calls them, where no process is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from temporalio.testing import ActivityEnvironment

from tests.support.founding import TENANT, Founder, activities
from tests.support.temporal import keyring_of_tests
from tidings.kit.settings import TemporalSettings
from tidings.modules.organizations.dns_records import DnsRecords
from tidings.modules.organizations.findings import Finding
from tidings.modules.organizations.process.activities import BootstrapActivities
from tidings.modules.organizations.process.contracts import BootstrapRef
from tidings.modules.organizations.reconciling import Reconciler
from tidings.modules.organizations.undoing import ORDER, Undoing
from tidings.spine.access.purposes import PROCESSES
from tidings.spine.processes.connecting import Temporal
from tidings.spine.processes.states import Processes


@dataclass(frozen=True)
class Stepper:
    """Walks organisations forward and back."""

    founder: Founder
    domain: str = "example.org"

    @property
    def activities(self) -> BootstrapActivities:
        return activities(self.founder.pool, keyring_of_tests(), self.founder.provider)

    @property
    def undoing(self) -> Undoing:
        return Undoing(self.founder.pool, DnsRecords(self.founder.provider))

    @property
    def reconciler(self) -> Reconciler:
        """With no Temporal to ask."""
        nowhere = Temporal(TemporalSettings(), keyring_of_tests().vault(PROCESSES))
        dns, every = DnsRecords(self.founder.provider), self.founder.limits.propagation * 3
        domains = {TENANT: self.domain}
        return Reconciler(self.founder.pool, dns, self.undoing, Processes(nowhere), domains, every)

    async def look(self) -> list[Finding]:
        return await self.reconciler.sweep(TENANT, mends=False)

    async def reconcile(self) -> list[Finding]:
        return await self.reconciler.sweep(TENANT, mends=True)

    async def step(self, function: Callable[[BootstrapRef], Any], id: UUID) -> Any:
        ref = BootstrapRef(tenant=TENANT, organization_id=str(id))
        return await ActivityEnvironment().run(function, ref)

    async def forward(self, id: UUID, *but: str) -> UUID:
        """To the end, but for the steps that are named."""
        of = self.activities
        steps = [of.create, of.grant, of.configure_dns, of.verify_dns, of.invite, of.mail, of.complete]
        for each in steps:
            if each.__name__ not in but:
                await self.step(each, id)
        return id

    async def taken_on(self, subdomain: str = "north") -> UUID:
        return await self.forward(await self.founder.ask(subdomain))

    async def given_up(self, subdomain: str = "north") -> UUID:
        """All but complete, and then undone, as after a failure."""
        id = await self.forward(await self.founder.ask(subdomain), "complete")  # noqa: A001
        await self.back(id)
        return id

    async def back(self, id: UUID) -> None:
        await self.undoing.begin(TENANT, id, "failed", "complete", "the tests do not want it")
        for undo in ORDER:
            await self.undoing.undo(undo, TENANT, id)
        await self.undoing.finish(TENANT, id, "failed", "complete", "the tests do not want it")
