"""Cloudflare's adapter, with its real SDK, against a server that misbehaves in every way it can."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.modules.organizations.dns.cases import reaching, settings_for
from tests.modules.organizations.dns.servers.cloudflare import TOKEN, Cloudflare, Fault, cloudflare
from tidings.modules.organizations.dns.cloudflare import CloudflareDns
from tidings.modules.organizations.dns.port import (
    DnsFailed,
    DnsRefused,
    NewRecord,
    NoTurn,
    Record,
    RecordExists,
    Zone,
    ZoneMissing,
)
from tidings.spine.outbox.outcomes import Permanent

SHORT = timedelta(milliseconds=300)
WANTED = NewRecord("CNAME", "acme.example.com", "app.example.com", proxied=True, comment="tidings 1234")

Call = Callable[[CloudflareDns, Zone], Awaitable[Any]]
CALLS: dict[str, Call] = {
    "zone": lambda dns, zone: dns.zone("example.com"),
    "records": lambda dns, zone: dns.records(zone, name=WANTED.name),
    "create": lambda dns, zone: dns.create(zone, WANTED),
    "delete": lambda dns, zone: dns.delete(zone, "0123456789abcdef0123456789abcdef"),
}
NONSENSE = (
    "",
    "<html>Sign in to this hotel's network</html>",
    "null",
    "[]",
    "{}",
    '{"success": true}',
    '{"success": true, "result": null}',
    '{"success": true, "result": {}}',
    '{"success": true, "result": [{}]}',
    '{"success": true, "result": [null]}',
    '{"success": false, "errors": [], "result": []}',
    '{"result": []}',
)
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


@pytest.fixture
async def server() -> AsyncIterator[Cloudflare]:
    async with cloudflare() as server:
        yield server


@pytest.fixture
async def dns(server: Cloudflare) -> AsyncIterator[CloudflareDns]:
    async with reaching(server) as dns:
        yield dns


@pytest.fixture
def zone(server: Cloudflare) -> Zone:
    return Zone(*next(iter(server.zones.items())))


def filled(server: Cloudflare, zone: Zone, amount: int) -> list[str]:
    return [server.add_record(zone.id, name=f"n{n}.example.com", content="x.example.com")["id"] for n in range(amount)]


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


async def test_what_is_sent_is_what_cloudflare_documents(server: Cloudflare, dns: CloudflareDns, zone: Zone) -> None:
    await dns.zone("example.com")
    await dns.records(zone, name="Acme.example.com", comment="tidings 1")
    record = await dns.create(zone, WANTED)
    await dns.delete(zone, record.id)
    assert [(asked.method, asked.path) for asked in server.ledger] == [
        ("GET", "/zones"),
        ("GET", f"/zones/{zone.id}/dns_records"),
        ("POST", f"/zones/{zone.id}/dns_records"),
        ("DELETE", f"/zones/{zone.id}/dns_records/{record.id}"),
    ]
    looked, listed, made, _ = server.ledger
    assert looked.query == {"name": "example.com"}
    assert listed.query == {
        "name.exact": "acme.example.com",
        "comment.startswith": "tidings 1",
        "page": "1",
        "per_page": "100",
    }
    assert made.body == {
        "type": "CNAME",
        "name": "acme.example.com",
        "content": "app.example.com",
        "proxied": True,
        "comment": "tidings 1234",
        "ttl": 1,
    }


@pytest.mark.parametrize(("there", "pages"), [(0, 1), (1, 1), (4, 1), (5, 2), (8, 2), (9, 3)])
async def test_each_page_is_asked_for_once(server: Cloudflare, zone: Zone, there: int, pages: int) -> None:
    ids = filled(server, zone, there)
    async with reaching(server, page=4) as dns:
        assert [record.id for record in await dns.records(zone)] == ids
    assert [asked.query["page"] for asked in server.ledger] == [str(page) for page in range(1, pages + 1)]


@pytest.mark.parametrize(("there", "pages"), [(0, 1), (3, 2), (4, 2), (9, 4)])
async def test_without_a_number_of_pages_an_empty_one_is_the_last(
    server: Cloudflare, zone: Zone, there: int, pages: int
) -> None:
    server.tells_pages = False
    ids = filled(server, zone, there)
    async with reaching(server, page=4) as dns:
        assert [record.id for record in await dns.records(zone)] == ids
    assert len(server.ledger) == pages


async def test_pages_may_be_smaller_than_was_asked_for(server: Cloudflare, dns: CloudflareDns, zone: Zone) -> None:
    server.largest_page = 2
    ids = filled(server, zone, 5)
    assert [record.id for record in await dns.records(zone)] == ids


async def test_a_server_that_gives_the_same_page_for_ever_is_not_asked_for_ever(
    server: Cloudflare, dns: CloudflareDns, zone: Zone
) -> None:
    row = {"id": "1", "type": "A", "name": "a.example.com", "content": "192.0.2.1"}
    server.faults.append(Fault(status=200, body=json.dumps({"success": True, "result": [row]}), times=9))
    assert [record.id for record in await dns.records(zone)] == ["1"]
    assert len(server.ledger) == 2


async def test_what_was_not_asked_for_is_not_handed_out(server: Cloudflare, dns: CloudflareDns, zone: Zone) -> None:
    """A filter that is passed over must not make a stranger's record ours."""
    row = {"id": "1", "type": "CNAME", "name": "strangers.example.com", "content": "x.example.com", "comment": "mine"}
    told = {"success": True, "result": [row], "result_info": {"total_pages": 1}}
    server.faults.append(Fault(status=200, body=json.dumps(told), times=3))
    assert await dns.records(zone, name=WANTED.name) == []
    assert await dns.records(zone, comment="tidings") == []
    with pytest.raises(ZoneMissing):
        await dns.zone("example.com")


async def test_records_of_every_type_are_read(server: Cloudflare, dns: CloudflareDns, zone: Zone) -> None:
    server.add_record(zone.id, type="MX", name="example.com", content="mail.example.com", priority=10)
    server.add_record(zone.id, type="CAA", name="example.com", data={"flags": 0, "tag": "issue"})
    server.add_record(zone.id, type="NEWER", name="example.com", content="than the SDK", proxied=None)
    found = await dns.records(zone)
    assert [(record.type, record.content) for record in found] == [
        ("MX", "mail.example.com"),
        ("CAA", ""),
        ("NEWER", "than the SDK"),
    ]
    assert not any(record.proxied for record in found)


@every_call
async def test_who_asks_too_often_is_told_to_wait_and_does_not_ask_again(
    server: Cloudflare, dns: CloudflareDns, zone: Zone, call: Call
) -> None:
    server.faults.append(Fault(status=429, code=971, message="Please wait.", headers={"Retry-After": "7"}, times=9))
    with pytest.raises(DnsFailed, match="Cloudflare answered 429: Please wait") as failed:
        await call(dns, zone)
    assert failed.value.retry_after == timedelta(seconds=7)
    assert len(server.ledger) == 1


@every_call
async def test_a_failure_that_may_pass_is_for_the_caller_to_try_again(
    server: Cloudflare, dns: CloudflareDns, zone: Zone, call: Call
) -> None:
    passing = (408, 500, 502, 503, 504, 520, 524, 530)
    for status in passing:
        server.faults.append(Fault(status=status, body="<html>error</html>", headers={"Content-Type": "text/html"}))
        with pytest.raises(DnsFailed, match=f"Cloudflare answered {status}") as failed:
            await call(dns, zone)
        assert failed.value.retry_after is None
    assert len(server.ledger) == len(passing)


@every_call
async def test_what_will_not_change_is_refused_for_good(
    server: Cloudflare, dns: CloudflareDns, zone: Zone, call: Call
) -> None:
    lasting = (400, 401, 403, 404, 405, 409, 422)
    for status in lasting:
        server.faults.append(Fault(status=status, message="Not like this."))
        with pytest.raises(DnsRefused, match=f"Cloudflare answered {status}: Not like this") as refused:
            await call(dns, zone)
        assert isinstance(refused.value, Permanent)
    assert len(server.ledger) == len(lasting)


@every_call
async def test_a_wrong_token_is_refused_for_good(server: Cloudflare, zone: Zone, call: Call) -> None:
    async with reaching(server, token="another-one") as dns:
        with pytest.raises(DnsRefused, match="403: Invalid access token"):
            await call(dns, zone)


@every_call
async def test_redirects_are_not_followed(server: Cloudflare, dns: CloudflareDns, zone: Zone, call: Call) -> None:
    server.faults.append(Fault(status=307, headers={"Location": f"{server.url}/elsewhere"}))
    with pytest.raises(DnsRefused, match="307"):
        await call(dns, zone)
    assert len(server.ledger) == 1


@pytest.mark.parametrize("code", [81053, 81054, 81056, 81057, 81058])
async def test_a_conflict_is_known_by_its_code(server: Cloudflare, dns: CloudflareDns, zone: Zone, code: int) -> None:
    server.faults.append(Fault(status=400, code=code, message="It exists already."))
    with pytest.raises(RecordExists, match="It exists already"):
        await dns.create(zone, WANTED)


async def test_a_route_that_is_not_there_is_no_record_that_is_gone(server: Cloudflare, dns: CloudflareDns) -> None:
    """A wrong address in the settings must not look like everything undone."""
    with pytest.raises(DnsRefused, match="404"):
        await dns.delete(Zone("a-zone-of-nobody", "example.com"), "0123456789abcdef0123456789abcdef")


async def test_a_record_that_was_made_may_be_missing_from_lists_for_a_while(
    server: Cloudflare, dns: CloudflareDns, zone: Zone
) -> None:
    server.lag = 2
    made = await dns.create(zone, WANTED)
    assert await dns.records(zone, name=WANTED.name) == []
    with pytest.raises(RecordExists):
        await dns.create(zone, WANTED)
    assert await dns.records(zone, name=WANTED.name) == []
    assert await dns.records(zone, name=WANTED.name) == [made]


@every_call
async def test_silence_ends_at_the_deadline(server: Cloudflare, dns: CloudflareDns, zone: Zone, call: Call) -> None:
    server.faults.append(Fault(ends="hangs"))
    with pytest.raises(DnsFailed, match="did not answer in time"):
        await call(replace(dns, deadline=SHORT), zone)


@pytest.mark.parametrize("ends", ["hangs", "resets", "answers"])
async def test_what_was_not_answered_may_have_been_done(
    server: Cloudflare, dns: CloudflareDns, zone: Zone, ends: Any
) -> None:
    await dns.zone("example.com")
    server.faults.append(Fault(ends, status=502, method="POST", takes_effect="now"))
    with pytest.raises(DnsFailed):
        await replace(dns, deadline=SHORT).create(zone, WANTED)
    await until(lambda: server.names(zone.id))
    with pytest.raises(RecordExists):
        await dns.create(zone, WANTED)
    assert [record.comment for record in await dns.records(zone, name=WANTED.name)] == ["tidings 1234"]


async def test_what_was_not_answered_may_yet_be_done(server: Cloudflare, dns: CloudflareDns, zone: Zone) -> None:
    await dns.zone("example.com")
    server.faults.append(Fault("hangs", method="POST", takes_effect="later"))
    with pytest.raises(DnsFailed):
        await replace(dns, deadline=SHORT).create(zone, WANTED)
    assert await dns.records(zone) == []
    await until(lambda: len(server.ledger) == 3)
    server.land()
    assert [record.name for record in await dns.records(zone)] == [WANTED.name]


async def test_a_deletion_that_was_not_answered_is_a_success_the_next_time(
    server: Cloudflare, dns: CloudflareDns, zone: Zone
) -> None:
    record = await dns.create(zone, WANTED)
    server.faults.append(Fault("resets", takes_effect="now"))
    with pytest.raises(DnsFailed):
        await dns.delete(zone, record.id)
    await dns.delete(zone, record.id)
    assert server.names(zone.id) == []


@every_call
async def test_a_connection_that_breaks_is_tried_again_by_the_caller(
    server: Cloudflare, dns: CloudflareDns, zone: Zone, call: Call
) -> None:
    server.faults.append(Fault("resets"))
    with pytest.raises(DnsFailed, match="no connection to Cloudflare"):
        await call(dns, zone)
    assert len(server.ledger) == 1


@every_call
async def test_a_server_that_is_away_is_a_failure(zone: Zone, call: Call) -> None:
    async with cloudflare() as gone:
        pass
    async with reaching(gone) as dns:
        with pytest.raises(DnsFailed, match="no connection to Cloudflare: "):
            await call(dns, zone)


@every_call
@pytest.mark.parametrize("kind", ["application/json", "text/html"])
async def test_nonsense_is_neither_a_success_nor_nothing(
    server: Cloudflare, dns: CloudflareDns, zone: Zone, call: Call, kind: str
) -> None:
    for body in NONSENSE:
        server.faults.append(Fault(status=200, body=body, headers={"Content-Type": kind}))
        with pytest.raises(DnsFailed, match="cannot be read"):
            await call(dns, zone)


async def test_a_list_that_breaks_off_is_no_list(server: Cloudflare, zone: Zone) -> None:
    filled(server, zone, 5)
    async with reaching(server, page=2) as dns:
        await dns.zone("example.com")
        server.faults.append(Fault(status=200, body='{"success": true, "result": [', times=1, path="dns_records"))
        with pytest.raises(DnsFailed):
            await dns.records(zone)
        assert len(await dns.records(zone)) == 5


@every_call
async def test_errors_in_a_form_that_is_not_known_are_errors_all_the_same(
    server: Cloudflare, dns: CloudflareDns, zone: Zone, call: Call
) -> None:
    for body in ("null", "[1]", '{"errors": null}', '{"errors": [null, {"code": "x"}]}', '{"errors": [{"code": []}]}'):
        server.faults.append(Fault(status=400, body=body))
        with pytest.raises(DnsRefused, match="Cloudflare answered 400"):
            await call(dns, zone)


@every_call
async def test_the_token_is_in_no_error_log_or_name(
    server: Cloudflare, dns: CloudflareDns, zone: Zone, call: Call, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    shown = [repr(dns), repr(settings_for(server))]
    faults = [
        Fault(status=403, message=f"{TOKEN} is no good"),
        Fault(status=503, message=f"who has {TOKEN}?"),
        Fault(status=400, body=f"Bearer {TOKEN}"),
        Fault("resets"),
        Fault(status=200, body=f'"{TOKEN}'),
    ]
    for fault in faults:
        server.faults.append(fault)
        with pytest.raises((DnsFailed, DnsRefused)) as error:
            await call(dns, zone)
        shown += [repr(error.value), *traceback.format_exception(error.value)]
    assert TOKEN not in "".join(shown) + caplog.text
    assert "… is no good" in "".join(shown)


async def test_nothing_but_the_settings_is_taken_for_true(server: Cloudflare, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = {"EMAIL": "somebody@example.org", "API_KEY": "k", "API_USER_SERVICE_KEY": "s", "API_TOKEN": "t"}
    for name, value in {**foreign, "BASE_URL": "http://127.0.0.1:1"}.items():
        monkeypatch.setenv(f"CLOUDFLARE_{name}", value)
    for name in ("HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    async with reaching(server) as dns:
        assert (await dns.zone("example.com")).name == "example.com"
    assert os.environ["CLOUDFLARE_EMAIL"]


async def test_every_request_takes_a_turn_a_page_as_well(server: Cloudflare, zone: Zone) -> None:
    filled(server, zone, 5)
    turns = []

    async def take() -> None:
        turns.append(len(server.ledger))

    async with reaching(server, page=2) as made:
        dns = replace(made, take=take)
        for call in CALLS.values():
            await call(dns, zone)
        await dns.records(zone)
    assert turns == list(range(len(server.ledger))) == list(range(4 + 3))


@every_call
async def test_without_a_turn_nothing_is_asked(server: Cloudflare, dns: CloudflareDns, zone: Zone, call: Call) -> None:
    async def never() -> None:
        raise NoTurn("Too many.")

    with pytest.raises(NoTurn):
        await call(replace(dns, take=never), zone)
    assert server.ledger == []


async def test_the_wait_for_a_turn_is_no_part_of_the_deadline(dns: CloudflareDns, zone: Zone) -> None:
    deadline = timedelta(seconds=1)

    async def slowly() -> None:
        await asyncio.sleep(deadline.total_seconds() * 1.2)

    await dns.zone("example.com")
    assert isinstance(await replace(dns, take=slowly, deadline=deadline).create(zone, WANTED), Record)


async def test_cancelled_is_cancelled(server: Cloudflare, dns: CloudflareDns, zone: Zone) -> None:
    server.faults.append(Fault("hangs", method="POST"))
    making = asyncio.create_task(dns.create(zone, WANTED))
    await until(lambda: server.ledger)
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    assert await dns.create(zone, WANTED)
