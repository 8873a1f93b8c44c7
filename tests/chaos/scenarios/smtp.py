"""A mail server that treats each recipient of a broadcast differently: the state of each is what the server did.

Three tenants have the same recipients: one holds what may have arrived, as is the rule for mail; one has it sent again;
one has a single attempt for each, so that what may have arrived with the last attempt is held as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import asyncpg

from tests.chaos.mail_server import MailServer, Treatment, mail_config, running_mail_server
from tests.chaos.report import Counts, Parts
from tests.chaos.tenants import FACT, SENDING, add_tenant
from tests.chaos.waiting import Violated, until
from tests.chaos.world import LONG_LEASE, World
from tests.support.pipeline import emit

NAME = "SMTP"
_DELIVERIES = """
SELECT d.id::text, d.tenant, a.value AS address, d.status, d.attempts, a.disabled_at IS NOT NULL AS disabled
FROM (SELECT id, tenant, address_id, status, attempts FROM tidings.deliveries
      UNION ALL SELECT id, tenant, address_id, status, attempts FROM tidings.deliveries_finished) d
JOIN tidings.addresses a ON a.id = d.address_id WHERE d.tenant = $1
"""


@dataclass(frozen=True)
class Size:
    people: int  # for each tenant


FULL = Size(people=600)
SHORT = Size(people=60)


@dataclass(frozen=True)
class Tenant:
    name: str
    provider: dict[str, object]

    @property
    def attempts(self) -> int | None:
        attempts = self.provider.get("max_attempts")
        return attempts if isinstance(attempts, int) else None

    def wanted(self, treatment: Treatment) -> str:
        """How a delivery to somebody who is treated so must end."""
        match treatment:
            case Treatment.NOBODY | Treatment.POLICY:
                return "failed"
            case Treatment.CLOSING | Treatment.GREYLISTED if self.attempts == 1:
                return "failed"
            case Treatment.DROPPED if self.provider.get("on_unknown") != "resend":
                return "held"
            case _:
                return "sent"


_TENANTS = (
    Tenant("holds", {}),
    Tenant("resends", {"on_unknown": "resend"}),
    Tenant("tries-once", {"max_attempts": 1}),
)


async def run(world: World, size: Size) -> Parts:
    treatments = {
        f"{n}@{tenant.name}.example.com": world.random.choice(list(Treatment))
        for tenant in _TENANTS
        for n in range(size.people)
    }
    async with running_mail_server(treatments.__getitem__) as server:
        owner = await world.connect()
        for tenant in _TENANTS:
            addresses = [address for address in treatments if address.endswith(f"@{tenant.name}.example.com")]
            given = {"type": "smtp", "config": mail_config(server.port)} | tenant.provider
            await add_tenant(owner, tenant.name, "email", addresses, **given)
            await emit(owner, FACT, tenant.name)
        await owner.close()
        worker = world.worker(**SENDING, **LONG_LEASE)
        await _until_over(world, len(treatments))
        if worker.ended:
            raise Violated("the mail server brought the worker down")
        return {tenant.name: await _judge(world, tenant, server, size.people) for tenant in _TENANTS}


async def _until_over(world: World, people: int) -> None:
    ended = """SELECT (SELECT count(*) FROM tidings.deliveries WHERE status = 'held')
                    + (SELECT count(*) FROM tidings.deliveries_finished)"""

    async def is_over() -> bool:
        return await world.count(ended) == people

    await until(is_over, "every mail is sent, failed or held")


async def _judge(world: World, tenant: Tenant, server: MailServer, people: int) -> Counts:
    rows = await world.fetch(_DELIVERIES, tenant.name)
    if len(rows) != people:
        raise Violated(f"{people - len(rows)} of {people} deliveries are lost")
    for row in rows:
        if wrong := _wrong(tenant, server, row):
            treatment = server.treatment(row["address"])
            raise Violated(f"{tenant.name}, {treatment}: {wrong}: {dict(row)}, taken {server.taken[row['address']]}")
    await _require_settled_without_held(world, tenant, [row["status"] for row in rows])
    states = [row["status"] for row in rows]
    return {
        "mails": people,
        **{state: states.count(state) for state in ("sent", "failed", "held") if state in states},
        "addresses turned off": sum(row["disabled"] for row in rows),
        "taken twice, under one id": sum(len(server.taken[row["address"]]) > 1 for row in rows),
        "lost": 0,
    }


def _wrong(tenant: Tenant, server: MailServer, row: asyncpg.Record) -> str | None:
    """The first thing that should not be."""
    treatment, taken = server.treatment(row["address"]), server.taken[row["address"]]
    if row["status"] != tenant.wanted(treatment):
        return f"it is not {tenant.wanted(treatment)}"
    if row["disabled"] != (treatment is Treatment.NOBODY):
        return "its address is turned off, or is not"
    if {*taken} - {row["id"]}:
        return "it was taken under another id"
    again = treatment is Treatment.DROPPED and row["status"] == "sent"
    if len(taken) != (0 if row["status"] == "failed" else 2 if again else 1):
        return "the server took it more often or less often than its state says"
    return None


async def _require_settled_without_held(world: World, tenant: Tenant, states: list[str]) -> None:
    """What is held is open: its notice is settled only when somebody has decided about it."""
    query = "SELECT open, sent, failed, settled_at IS NOT NULL AS settled FROM tidings.tallies WHERE tenant = $1"
    (tally,) = await world.fetch(query, tenant.name)
    wanted = (states.count("held"), states.count("sent"), states.count("failed"), "held" not in states)
    if tuple(tally) != wanted:
        raise Violated(f"{tenant.name}: open, sent, failed and settled are {tuple(tally)}, not {wanted}")
