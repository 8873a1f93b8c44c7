"""Bootstraps whose histories are kept: whatever one can go through should be in one of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeAlias
from uuid import UUID

from tests.modules.organizations.dns.servers.resolver import resolver
from tests.support.founding import BASE, Saga, SeenOutside
from tests.support.temporal import until
from tidings.modules.organizations.dns.memory import MemoryDns
from tidings.modules.organizations.dns.port import DnsProvider, NewRecord, Zone
from tidings.modules.organizations.model import process_of
from tidings.modules.organizations.process.contracts import RETRY_DNS

Living: TypeAlias = Callable[[Saga], Awaitable[UUID]]
MINUTE = timedelta(minutes=1)
ADDRESS = "192.0.2.7"


class Stuck(MemoryDns):
    """From which nothing can be removed, as long as it is stuck."""

    stuck = True

    async def delete(self, zone: Zone, record_id: str) -> None:
        if self.stuck:
            raise RuntimeError("the provider is stuck")
        await super().delete(zone, record_id)


async def taken_on(saga: Saga) -> UUID:
    asked = await saga.founder.ask()
    async with saga.performed():
        await saga.stage.pass_on()
        await saga.skipping.sleep(5 * MINUTE)
        await saga.comes_to(asked, "invitation.email.requested")
        await saga.send_mails()
        await saga.ended(asked)
    return asked


async def mails_that_wait(saga: Saga) -> UUID:
    """Nobody sends them; what still waits when the time is up has not failed."""
    asked = await saga.founder.ask()
    async with saga.performed():
        await saga.stage.pass_on()
        await saga.ended(asked)
    return asked


async def one_mail_that_fails(saga: Saga) -> UUID:
    return await _mailed(saga, "member@north.example.com")


async def all_mails_that_fail(saga: Saga) -> UUID:
    return await _mailed(saga, "admin@north.example.com", "member@north.example.com")


async def _mailed(saga: Saga, *but: str) -> UUID:
    asked = await saga.founder.ask()
    await saga.founder.refuse_mail(*but)
    async with saga.performed():
        await saga.stage.pass_on()
        await saga.skipping.sleep(5 * MINUTE)
        await saga.comes_to(asked, "invitation.email.requested")
        await saga.send_mails()
        await saga.ended(asked)
    return asked


async def cancelled_while_it_waits(saga: Saga) -> UUID:
    asked = await saga.founder.ask()
    async with saga.performed():
        await saga.stage.pass_on()
        await saga.skipping.sleep(MINUTE)
        await saga.comes_to(asked, "organization.dns.configured")
        assert await saga.founder.cancel(asked) == "running"
        await saga.stage.pass_on()
        await saga.ended(asked)
    return asked


async def cancelled_before_it_began(saga: Saga) -> UUID:
    """And yet it is started, as by a worker that had the intent in hand already."""
    asked = await saga.founder.ask()
    await saga.stage.pass_on()
    assert await saga.founder.cancel(asked) == "cancelled"
    async with saga.performed():
        await saga.ended(asked)
    return asked


async def cancelled_in_temporal(saga: Saga) -> UUID:
    asked = await saga.founder.ask()
    async with saga.performed():
        await saga.stage.pass_on()
        await saga.skipping.sleep(MINUTE)
        await saga.comes_to(asked, "organization.dns.configured")
        await (await saga.handle(asked)).cancel()
        await saga.ended(asked)
    return asked


async def a_name_that_a_stranger_has(saga: Saga) -> UUID:
    zone = await saga.founder.provider.zone(BASE)
    record = NewRecord(type="CNAME", name=f"north.{BASE}", content="elsewhere.example.net", proxied=False, comment=None)
    await saga.founder.provider.create(zone, record)
    asked = await saga.founder.ask()
    async with saga.performed():
        await saga.stage.pass_on()
        await saga.ended(asked)
    return asked


async def seen_late_and_looked_at_again(saga: Saga) -> UUID:
    """Two resolvers have it only when somebody asks for another look; a third disagrees."""
    asked = await saga.founder.ask()
    async with resolver() as one, resolver() as two, resolver() as three, saga.performed(one, two, three):
        await saga.stage.pass_on()
        await saga.skipping.sleep(6 * MINUTE)
        await until(lambda: saga.stage.says(process_of(asked), verificationTries=1))
        one.addresses, two.addresses = [ADDRESS], [ADDRESS]
        await (await saga.handle(asked)).signal(RETRY_DNS)
        await saga.comes_to(asked, "organization.subdomain.verified")
        await saga.ended(asked)
    return asked


async def never_seen(saga: Saga) -> UUID:
    asked = await saga.founder.ask(dns_timeout=45 * MINUTE)
    async with resolver() as one, resolver(ADDRESS) as two, resolver() as three, saga.performed(one, two, three):
        await saga.stage.pass_on()
        await saga.ended(asked)
    return asked


async def out_of_time(saga: Saga) -> UUID:
    saga = saga.changed(total=3 * MINUTE)
    asked = await saga.founder.ask()
    async with saga.performed():
        await saga.stage.pass_on()
        await saga.ended(asked)
    return asked


async def not_undone_at_once(saga: Saga) -> UUID:
    """DNS is left, on record, and an intent goes on trying."""
    asked = await saga.founder.ask()
    async with saga.performed():
        await saga.stage.pass_on()
        await saga.skipping.sleep(MINUTE)
        await saga.comes_to(asked, "organization.dns.configured")
        await saga.founder.cancel(asked)
        await saga.stage.pass_on()
        await saga.ended(asked)
    return asked


COMPLETED: dict[str, Any] = {
    "status": "completed",
    "active": True,
    "subdomain_status": "verified",
    "holds_subdomain": True,
    "error": None,
    "records": 1,
    "granted": 11,
    "invitations": {"pending": 2},
    "left_over": (),
}
UNDONE: dict[str, Any] = {
    "status": "failed",
    "active": False,
    "subdomain_status": "removed",
    "holds_subdomain": False,
    "records": 0,
    "granted": 0,
    "invitations": {},
    "left_over": (),
}


@dataclass(frozen=True)
class Life:
    """What a bootstrap goes through, and what there is of it then."""

    live: Living
    left: Mapping[str, Any]
    provider: Callable[[], DnsProvider] = MemoryDns


_CANCELLED = UNDONE | {"status": "cancelled", "error": "it was cancelled"}
LIVES: Mapping[str, Life] = {
    life.live.__name__: life
    for life in (
        Life(taken_on, COMPLETED),
        Life(mails_that_wait, COMPLETED),
        Life(one_mail_that_fails, COMPLETED),
        Life(
            all_mails_that_fail,
            UNDONE | {"error": "none of the invitations could be mailed", "invitations": {"revoked": 2}},
        ),
        Life(cancelled_while_it_waits, _CANCELLED),
        Life(
            cancelled_before_it_began,
            _CANCELLED | {"error": "it was cancelled before it began", "subdomain_status": "reserved"},
        ),
        Life(cancelled_in_temporal, _CANCELLED | {"error": "it was cancelled in Temporal"}),
        Life(
            a_name_that_a_stranger_has,
            UNDONE
            | {"error": f"north.{BASE} has a CNAME record that leads to elsewhere.example.net, not to app.{BASE}"},
        ),
        Life(seen_late_and_looked_at_again, COMPLETED, SeenOutside),
        Life(
            never_seen,
            UNDONE | {"error": "DNS has not propagated: 1/3 resolvers have it, after 6 tries"},
            SeenOutside,
        ),
        Life(out_of_time, UNDONE | {"error": "it was not done within 3 minutes"}),
        Life(
            not_undone_at_once,
            _CANCELLED
            | {"holds_subdomain": True, "records": 1, "left_over": ("removeDns",), "subdomain_status": "configured"},
            Stuck,
        ),
    )
}
