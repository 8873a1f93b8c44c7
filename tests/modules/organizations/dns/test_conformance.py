"""What every provider promises, tried on each; Cloudflare's with its own SDK against a server on a real socket."""

from __future__ import annotations

import asyncio

import pytest

from tests.modules.organizations.dns.cases import CASES, Case, Promise
from tidings.modules.organizations.dns.port import DnsProvider, NewRecord, Record, RecordExists, Zone, ZoneMissing
from tidings.spine.outbox.outcomes import Permanent

every = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
WANTED = NewRecord("CNAME", "acme.example.com", "app.example.com", proxied=True, comment="tidings 1234")


def that(promise: Promise) -> pytest.MarkDecorator:
    """Every provider that can promise this."""
    able = [case for case in CASES if promise not in case.cannot]
    return pytest.mark.parametrize("case", able, ids=lambda case: case.name)


keeping = that(Promise.KEEPS_RECORDS)


def named(name: str, comment: str | None = None, content: str = "app.example.com") -> NewRecord:
    return NewRecord("CNAME", name, content, proxied=False, comment=comment)


async def made(dns: DnsProvider, zone: Zone, *records: NewRecord) -> list[Record]:
    return [await dns.create(zone, each) for each in records]


def names(records: list[Record]) -> list[str]:
    return sorted(record.name for record in records)


@every
async def test_whether_the_world_can_see_it_is_said(case: Case) -> None:
    async with case.start() as dns:
        assert dns.asks_the_world is case.asks_the_world


@every
async def test_a_zone_is_found_by_its_name(case: Case) -> None:
    async with case.start() as dns:
        zone = await dns.zone("example.com")
        assert zone.name == "example.com"
        assert zone == await dns.zone("example.com")
        assert zone.id != (await dns.zone("example.org")).id


@that(Promise.KNOWS_ITS_ZONES)
@pytest.mark.parametrize("domain", ["example.net", "sub.example.com", "ample.com", "com"])
async def test_a_zone_that_is_not_there_is_missing_for_good(case: Case, domain: str) -> None:
    async with case.start() as dns:
        with pytest.raises(ZoneMissing, match=domain) as missing:
            await dns.zone(domain)
        assert isinstance(missing.value, Permanent)


@every
async def test_what_is_made_is_given_back_as_it_was_asked_for(case: Case) -> None:
    async with case.start() as dns:
        record = await dns.create(await dns.zone("example.com"), WANTED)
        assert record.id
        assert NewRecord(record.type, record.name, record.content, record.proxied, record.comment) == WANTED


@every
async def test_a_record_needs_no_comment(case: Case) -> None:
    async with case.start() as dns:
        assert (await dns.create(await dns.zone("example.com"), named("plain.example.com"))).comment is None


@every
async def test_where_nothing_is_nothing_is_found(case: Case) -> None:
    async with case.start() as dns:
        zone = await dns.zone("example.com")
        assert await dns.records(zone) == []
        assert await dns.records(zone, name="acme.example.com", comment="tidings") == []


@keeping
async def test_what_was_made_is_found(case: Case) -> None:
    async with case.start() as dns:
        zone = await dns.zone("example.com")
        record = await dns.create(zone, WANTED)
        assert await dns.records(zone) == [record]
        assert await dns.records(zone, name=WANTED.name, comment="tidings 1234") == [record]


@keeping
async def test_more_than_a_page_is_found_as_well(case: Case) -> None:
    async with case.start() as dns:
        zone = await dns.zone("example.com")
        there = await made(dns, zone, *(named(f"n{n}.example.com", "tidings") for n in range(7)))
        assert names(await dns.records(zone)) == names(there)
        assert names(await dns.records(zone, comment="tidings")) == names(there)


@keeping
async def test_a_name_is_found_exactly_and_in_any_spelling(case: Case) -> None:
    async with case.start() as dns:
        zone = await dns.zone("example.com")
        await made(dns, zone, *(named(f"{label}.example.com") for label in ("acme", "acme-2", "big-acme", "a.acme")))
        for spelt in ("acme.example.com", "ACME.Example.com", "acme.example.com."):
            assert names(await dns.records(zone, name=spelt)) == ["acme.example.com"]
        assert await dns.records(zone, name="cme.example.com") == []


@keeping
async def test_comments_are_found_by_how_they_start(case: Case) -> None:
    async with case.start() as dns:
        zone = await dns.zone("example.com")
        await made(
            dns,
            zone,
            named("a.example.com", "tidings 1"),
            named("b.example.com", "tidings 2"),
            named("c.example.com", "not tidings 1"),
            named("d.example.com", "TIDINGS 1"),
            named("e.example.com"),
        )
        assert names(await dns.records(zone, comment="tidings ")) == ["a.example.com", "b.example.com"]
        assert names(await dns.records(zone, comment="tidings 1")) == ["a.example.com"]
        assert names(await dns.records(zone, name="b.example.com", comment="tidings 1")) == []


@keeping
async def test_zones_are_apart(case: Case) -> None:
    async with case.start() as dns:
        here, there = await dns.zone("example.com"), await dns.zone("example.org")
        record = await dns.create(here, WANTED)
        assert await dns.records(there) == []
        await dns.delete(there, record.id)
        assert await dns.records(here) == [record]


@keeping
@pytest.mark.parametrize("content", ["app.example.com", "elsewhere.example.net"])
async def test_a_name_that_is_taken_says_so_and_may_be_looked_at_again(case: Case, content: str) -> None:
    async with case.start() as dns:
        zone = await dns.zone("example.com")
        first = await dns.create(zone, WANTED)
        with pytest.raises(RecordExists) as taken:
            await dns.create(zone, named("acme.example.com", content=content))
        assert not isinstance(taken.value, Permanent)
        assert await dns.records(zone) == [first]


@keeping
async def test_an_alias_is_not_made_beside_an_address(case: Case) -> None:
    async with case.start() as dns:
        zone = await dns.zone("example.com")
        await dns.create(zone, NewRecord("A", "acme.example.com", "192.0.2.1", proxied=False, comment=None))
        with pytest.raises(RecordExists):
            await dns.create(zone, WANTED)
        await dns.create(zone, NewRecord("A", "acme.example.com", "192.0.2.2", proxied=False, comment=None))
        await dns.create(zone, NewRecord("TXT", "acme.example.com", "hello", proxied=False, comment=None))
        assert len(await dns.records(zone, name="acme.example.com")) == 3


@keeping
async def test_of_many_who_make_the_same_at_once_one_does(case: Case) -> None:
    async with case.start() as dns:
        zone = await dns.zone("example.com")
        came = await asyncio.gather(*(dns.create(zone, WANTED) for _ in range(10)), return_exceptions=True)
        assert len([each for each in came if isinstance(each, Record)]) == 1
        assert len([each for each in came if isinstance(each, RecordExists)]) == 9
        assert len(await dns.records(zone)) == 1


@keeping
async def test_what_is_deleted_is_gone_and_can_be_made_again(case: Case) -> None:
    async with case.start() as dns:
        zone = await dns.zone("example.com")
        other, record = await made(dns, zone, named("other.example.com"), WANTED)
        await dns.delete(zone, record.id)
        assert await dns.records(zone) == [other]
        again = await dns.create(zone, WANTED)
        assert again.id != record.id
        assert await dns.records(zone, name=WANTED.name) == [again]


@every
async def test_deleting_what_is_gone_is_a_success(case: Case) -> None:
    async with case.start() as dns:
        zone = await dns.zone("example.com")
        record = await dns.create(zone, WANTED)
        await dns.delete(zone, record.id)
        await dns.delete(zone, record.id)
        await dns.delete(zone, "0123456789abcdef0123456789abcdef")
