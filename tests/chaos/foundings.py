"""Organisations that are asked for by the hundred: what is to become of each, and who sees to it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum, auto
from typing import Any
from uuid import UUID, uuid4

from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from tests.modules.organizations.dns.servers.cloudflare import Cloudflare, Fault
from tests.support.founding import BASE, Founder
from tests.support.pipeline import Owner
from tests.support.temporal import DevServer
from tidings.kit.errors import Conflict
from tidings.modules.organizations.model import mark_of, process_of
from tidings.modules.organizations.process.contracts import Limits

LIMITS = Limits(propagation=timedelta(milliseconds=10), verify_every=timedelta(seconds=1))
_MOST_FACTS = 11  # of one that is all but complete
_FACTS = "SELECT stream_id, count(*) FROM tidings.facts WHERE stream_type = 'organization' GROUP BY 1"
_ALWAYS = 1_000


class Fate(Enum):
    """What happens to a bootstrap, beside the kills."""

    NOTHING = auto()
    CANCELLED = auto()
    TERMINATED = auto()  # by hand, in Temporal
    REFUSED = auto()  # by the provider, for good
    HUNG = auto()  # the provider answers nobody, and does in the end all that it was asked for
    ELSEWHERE = auto()  # a stranger has the name, and it leads to them
    ANOTHERS = auto()  # the same, with our mark and an id that nobody here knows
    ALIKE = auto()  # a stranger has the name, and it leads to us


@dataclass
class Foundings:
    """`strangers` are the records that others have, by their ids; `meddled`, whose fate came before their end."""

    founder: Founder
    owner: Owner
    provider: Cloudflare
    temporal: DevServer
    random: random.Random
    fates: dict[UUID, Fate] = field(default_factory=dict)
    domains: dict[UUID, str] = field(default_factory=dict)
    strangers: dict[str, dict[str, Any]] = field(default_factory=dict)
    meddled: set[UUID] = field(default_factory=set)

    @property
    def records(self) -> dict[str, dict[str, Any]]:
        """What is in the zone now."""
        (zone,) = self.provider.records.values()
        return zone

    async def ask(self, wanted: Mapping[Fate, int]) -> None:
        """For as many as that, in any order."""
        fates = [fate for fate, count in wanted.items() for _ in range(count)]
        self.random.shuffle(fates)
        for number, fate in enumerate(fates):
            domain = f"org-{number}.{BASE}"
            self._prepare(domain, fate)
            id = await self.founder.ask(f"org-{number}")  # noqa: A001
            self.fates[id], self.domains[id] = fate, domain

    def of(self, *fates: Fate) -> set[UUID]:
        return {id for id, fate in self.fates.items() if fate in fates}  # noqa: A001

    async def meddle(self) -> None:
        """Cancels and terminates: each when so many facts are there of it, be they its first or its last."""
        due = {id: self.random.randint(1, _MOST_FACTS) for id in self.of(Fate.CANCELLED, Fate.TERMINATED)}  # noqa: A001
        while due:
            counted = {UUID(row[0]): row[1] for row in await self.owner.fetch(_FACTS)}
            for id in [each for each, facts in due.items() if counted[each] >= facts]:  # noqa: A001
                if await (self._cancel(id) if self.fates[id] is Fate.CANCELLED else self._terminate(id)):
                    del due[id]
            await asyncio.sleep(0.05)

    def _prepare(self, domain: str, fate: Fate) -> None:
        match fate:
            case Fate.REFUSED:
                self._fault(status=403, record=domain, times=_ALWAYS)
            case Fate.HUNG:
                self._fault(ends="hangs", takes_effect="later", record=domain, times=_ALWAYS)
            case Fate.ELSEWHERE:
                self._strange(name=domain, content="elsewhere.example.net")
            case Fate.ANOTHERS:
                self._strange(name=domain, content="elsewhere.example.net", comment=mark_of(uuid4()))
            case Fate.ALIKE:
                self._strange(name=domain, content=f"app.{BASE}")
            case _ if self.random.random() < 0.1:  # its answer is lost
                self._fault(ends="resets", takes_effect="now", record=domain)
            case _:
                pass

    def _fault(self, **how: Any) -> None:
        self.provider.faults.append(Fault(method="POST", **how))

    def _strange(self, **fields: Any) -> None:
        (zone,) = self.provider.zones
        record = self.provider.add_record(zone, **fields)
        self.strangers[record["id"]] = dict(record)

    async def _cancel(self, id: UUID) -> bool:
        try:
            await self.founder.cancel(id)
        except Conflict:  # it is complete already
            return True
        self.meddled.add(id)
        return True

    async def _terminate(self, id: UUID) -> bool:
        """Not while Temporal is away, or has not heard of it."""
        try:
            client = await Client.connect(self.temporal.address)
            await client.get_workflow_handle(process_of(id)).terminate()
        except RPCError as error:
            return error.status is RPCStatusCode.NOT_FOUND and "already completed" in str(error)
        except RuntimeError:
            return False
        self.meddled.add(id)
        return True
