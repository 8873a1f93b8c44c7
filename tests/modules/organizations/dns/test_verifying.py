"""Asking resolvers: what each may say, and what comes of it. All of them are on loopback."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta

import pytest

from tests.modules.organizations.dns.servers.resolver import Resolver, Says, resolver
from tidings.modules.organizations.dns.logging import LoggingDns
from tidings.modules.organizations.dns.memory import MemoryDns
from tidings.modules.organizations.dns.port import DnsProvider
from tidings.modules.organizations.dns.verification import Answer, Verification, decided
from tidings.modules.organizations.dns.verifying import Verifier

NAME = "acme.example.com"
PATIENT = timedelta(seconds=20)
SHORT = timedelta(seconds=1)
HERE, THERE = "192.0.2.1", "192.0.2.2"


class SeenByTheWorld(MemoryDns):
    asks_the_world = True


def verifier(
    *servers: Resolver | str, quorum: int = 2, lifetime: timedelta = PATIENT, provider: DnsProvider | None = None
) -> Verifier:
    named = tuple(each if isinstance(each, str) else each.server for each in servers)
    return Verifier(provider or SeenByTheWorld(), named, quorum, lifetime)


def yes(*addresses: str) -> Answer:
    return Answer(server="192.0.2.53", success=True, addresses=list(addresses))


NO = Answer(server="192.0.2.53", success=False, addresses=[], error="There is no such name.")


@pytest.mark.parametrize(
    ("answers", "quorum", "verified", "said"),
    [
        ([yes(HERE), yes(HERE), yes(HERE)], 2, True, "3/3"),
        ([yes(HERE), yes(HERE), NO], 2, True, "2/3"),
        ([yes(HERE), yes(THERE), NO], 2, True, "2/3"),
        ([yes(HERE), NO, NO], 2, False, "1/3"),
        ([NO, NO, NO], 2, False, "0/3"),
        ([yes(HERE), NO, NO], 1, True, "1/3"),
        ([yes(HERE), yes(HERE), NO], 3, False, "2/3"),
        ([yes(HERE)], 1, True, "1/1"),
    ],
)
def test_so_many_must_have_an_address(answers: list[Answer], quorum: int, verified: bool, said: str) -> None:
    found = decided(answers, quorum)
    assert (found.verified, found.quorum, found.method) == (verified, said, "dns_quorum")
    assert found.answers == answers


def test_the_addresses_are_those_of_all_who_have_one() -> None:
    assert decided([yes(THERE, HERE), NO, yes(HERE)], 2).addresses == [HERE, THERE]


def test_it_travels_as_json() -> None:
    found = decided([yes(HERE), yes(THERE), NO], 2)
    assert Verification.model_validate_json(found.model_dump_json(by_alias=True)) == found


@dataclass(frozen=True)
class Said:
    """What a resolver that does not have the name may say, and how that is told."""

    says: Says
    error: str
    addresses: tuple[str, ...] = ()
    slow: bool = False


NOT_THERE = [
    Said(Says.WHAT_IT_KNOWS, "There is no such name."),
    Said(Says.NOTHING_OF_THAT_KIND, "The name has no address."),
    Said(Says.SERVFAIL, "Failed: SERVFAIL"),
    Said(Says.REFUSED, "Failed: REFUSED"),
    Said(Says.NOTHING, "No answer in time.", slow=True),
    Said(Says.NONSENSE, "No answer in time.", slow=True),
    Said(Says.FOREIGN_ID, "No answer in time.", (HERE,), slow=True),
    Said(Says.IT_TOO_LATE, "No answer in time.", (HERE,), slow=True),
]


@pytest.mark.parametrize("said", NOT_THERE, ids=lambda said: said.says.name)
async def test_whatever_else_a_resolver_says_is_no_success_and_no_error(said: Said) -> None:
    async with resolver(*said.addresses, says=said.says) as one:
        one.late = 2 * SHORT.total_seconds()
        found = await verifier(one, quorum=1, lifetime=SHORT if said.slow else PATIENT).verify(NAME)
    answer = Answer(server=one.server, success=False, addresses=[], error=said.error)
    assert found == Verification(verified=False, method="dns_quorum", quorum="0/1", answers=[answer], addresses=[])
    assert set(one.questions) == {f"{NAME}."}


@pytest.mark.parametrize("said", [each for each in NOT_THERE if not each.slow], ids=lambda said: said.says.name)
async def test_one_of_three_who_is_behind_outvotes_nobody(said: Said) -> None:
    async with resolver(HERE) as one, resolver(THERE, HERE) as two, resolver(says=said.says) as three:
        found = await verifier(one, two, three).verify(NAME)
    assert (found.verified, found.quorum, found.addresses) == (True, "2/3", [HERE, THERE])
    assert [answer.success for answer in found.answers] == [True, True, False]
    assert [answer.server for answer in found.answers] == [one.server, two.server, three.server]


async def test_one_who_is_silent_holds_up_no_longer_than_one_may_take() -> None:
    async with resolver(HERE) as one, resolver(HERE) as two, resolver(says=Says.NOTHING) as three:
        found = await verifier(one, two, three, lifetime=SHORT).verify(NAME)
    assert (found.verified, found.quorum) == (True, "2/3")


async def test_one_alone_is_not_enough() -> None:
    """As one that answers to every name with a page of its own."""
    async with resolver("198.51.100.1") as one, resolver() as two, resolver(says=Says.SERVFAIL) as three:
        found = await verifier(one, two, three).verify(NAME)
    assert (found.verified, found.quorum, found.addresses) == (False, "1/3", ["198.51.100.1"])


async def test_all_are_asked_at_once() -> None:
    """Each answers only when all have been asked."""
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(resolver(HERE, says=Says.IT_TOO_LATE)) for _ in range(3)]
        for each in servers:
            each.late = PATIENT.total_seconds()
        asking = asyncio.create_task(verifier(*servers).verify(NAME))
        while not all(each.questions for each in servers):
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking


async def test_what_is_there_later_is_found_then() -> None:
    """Nothing is kept from one time to the next, neither a name that was not there nor one that was."""
    async with resolver() as one, resolver() as two:
        asking = verifier(one, two)
        assert not (await asking.verify(NAME)).verified
        one.addresses = two.addresses = [HERE]
        assert (await asking.verify(NAME)).addresses == [HERE]
        one.addresses = two.addresses = [THERE]
        assert (await asking.verify(NAME)).addresses == [THERE]


async def test_what_is_too_much_for_a_datagram_is_asked_for_again() -> None:
    async with resolver(HERE, says=Says.TOO_MUCH_FOR_UDP) as one:
        found = await verifier(one, quorum=1).verify(NAME)
    assert found.addresses == [HERE]
    assert len(one.questions) == 2


async def test_where_nobody_listens_nobody_is_there() -> None:
    async with resolver() as gone:
        pass
    found = await verifier(gone, quorum=1, lifetime=SHORT).verify(NAME)
    assert (found.verified, found.answers[0].success) == (False, False)
    assert found.answers[0].error


@pytest.mark.parametrize("name", ["", "..", "a..example.com", f"{'a' * 64}.example.com", "a." * 130, "\ud800.example"])
async def test_what_is_no_name_is_not_there(name: str) -> None:
    async with resolver() as one:
        found = await verifier(one, quorum=1).verify(name)
    assert not found.verified
    assert found.answers[0].error


async def test_a_name_is_asked_for_as_it_is() -> None:
    """Whatever domains this machine puts behind names."""
    async with resolver(HERE) as one:
        await verifier(one, quorum=1).verify("acme")
        await verifier(one, quorum=1).verify("acme.example.com.")
    assert one.questions == ["acme.", "acme.example.com."]


@pytest.mark.parametrize("provider", [LoggingDns(), MemoryDns()], ids=["logging", "memory"])
async def test_what_the_world_cannot_see_the_world_is_not_asked_for(provider: DnsProvider) -> None:
    async with resolver() as one, resolver() as two:
        found = await verifier(one, two, provider=provider).verify(NAME)
    assert found == Verification(verified=True, method="development", quorum="0/0", answers=[], addresses=[])
    assert one.questions == two.questions == []
