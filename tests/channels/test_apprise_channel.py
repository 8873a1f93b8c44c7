"""Apprise on real sockets: what gets through, where it goes, and what comes of it."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from ipaddress import IPv4Address, ip_address
from pathlib import Path

import pytest

from tests.channels.apprise_case import MESSAGE, apprise_at
from tests.channels.authority import server_tls
from tests.channels.meanings import meaning_of
from tests.channels.servers import http_server as raw
from tests.channels.servers.http_server import Reply, Request
from tests.channels.servers.proxy import proxy_to
from tests.channels.servers.smtp_server import smtp_server
from tests.channels.servers.talking import TalkingServer, talking
from tidings.kit.settings import NetworkSettings
from tidings.spine.channels.apprise_channel import AppriseAdapter, together
from tidings.spine.channels.apprise_sending import report_of
from tidings.spine.channels.network import LookUp, Network, open_network
from tidings.spine.channels.port import Blame, Deferred, Level, Outcome, Rejected, Sent, Unknown
from tidings.spine.channels.registry import Outside

DEADLINE = timedelta(seconds=10)
SHORT = timedelta(seconds=0.3)
Reaching = Callable[[timedelta], Outside]


async def outcome(to: str, outside: Outside, level: Level = Level.INFO) -> Outcome:
    adapter = apprise_at("", outside)
    try:
        return await adapter.send(replace(MESSAGE, to=to, subject="Paid\r\nBcc: b@example.org", level=level))
    finally:
        await adapter.close()


def taking(_: Request) -> Reply:
    return Reply(200)


@pytest.mark.parametrize(
    ("level", "kind"), [(Level.INFO, "info"), (Level.WARNING, "warning"), (Level.CRITICAL, "failure")]
)
async def test_a_level_becomes_apprises_own(level: Level, kind: str, outside: Reaching) -> None:
    async with talking(taking) as server:
        assert await outcome(f"json://127.0.0.1:{server.port}/x", outside(DEADLINE), level) == Sent()
        body = json.loads(server.requests[0].body)
    assert body["type"] == kind
    assert body["message"] == "Your order was paid"
    assert body["title"] == "Paid Bcc: b@example.org"


@pytest.mark.parametrize(
    ("status", "meaning"),
    [
        (302, "deferred for the address"),
        (400, "rejected"),
        (401, "rejected"),
        (404, "rejected"),
        (410, "gone"),
        (429, "deferred for the address"),
        (500, "deferred for the address"),
    ],
)
async def test_what_a_status_means(status: int, meaning: str, outside: Reaching) -> None:
    async with talking(lambda _: Reply(status, b"canary")) as server:
        found = await outcome(f"json://127.0.0.1:{server.port}/x", outside(DEADLINE))
    assert meaning_of(found) == meaning
    assert "canary" not in repr(found)


async def test_one_success_of_several_is_enough_and_the_rest_is_on_record(outside: Reaching) -> None:
    async with talking(lambda request: Reply(500 if request.target == "/bad" else 200)) as server:
        there = f"127.0.0.1:{server.port}"
        found = await outcome(f"json://{there}/bad xml://{there}/good", outside(DEADLINE))
    assert found == Sent(detail="json: answered 500; xml: sent")


def test_several_failures_become_one() -> None:
    gone, no, later, perhaps = Rejected("a", gone=True), Rejected("b"), Deferred("c"), Unknown("d")
    assert together([("x", gone), ("y", gone)]) == Rejected("x: a; y: a", gone=True)
    assert together([("x", gone), ("y", no)]) == Rejected("x: a; y: b")
    assert together([("x", no), ("y", later)]) == Deferred("x: b; y: c", blame=Blame.ADDRESS)
    assert together([("x", perhaps), ("y", later)]) == Unknown("x: d; y: c")
    assert together([("x", later)]) == later


async def test_a_redirect_to_the_inside_is_not_followed(outside: Reaching) -> None:
    async with talking(taking) as inside:
        there = {"Location": f"http://127.0.0.1:{inside.port}/inside"}
        async with talking(lambda _: Reply(302, headers=there)) as server:
            found = await outcome(f"json://127.0.0.1:{server.port}/x", outside(DEADLINE))
    assert isinstance(found, Deferred)
    assert inside.requests == []


@asynccontextmanager
async def on_two_addresses(first: TalkingServer, second: TalkingServer) -> AsyncIterator[int]:
    """The same port of 127.0.0.2 and of 127.0.0.1, with a server on each."""
    one = await asyncio.start_server(first.serve, "127.0.0.2", 0)
    port: int = one.sockets[0].getsockname()[1]
    two = await asyncio.start_server(second.serve, "127.0.0.1", port)
    async with one, two:
        yield port


def guard(port: int, look_up: LookUp) -> Network:
    """127.0.0.2 stands for the public Internet, and 127.0.0.1 for the inside."""
    return open_network(NetworkSettings(allow=("127.0.0.2/32",), ports=(port,)), look_up)


async def test_a_name_that_changes_its_address_leads_nowhere_but_to_what_was_checked(outside: Reaching) -> None:
    public, inside = TalkingServer(taking), TalkingServer(taking)
    answers = [ip_address("127.0.0.2"), ip_address("127.0.0.1")] * 3
    asked: list[str] = []

    async def rebinding(host: str, _: int) -> tuple[IPv4Address, ...]:
        asked.append(host)
        found = answers[(len(asked) - 1) % 2]
        assert isinstance(found, IPv4Address)
        return (found,)

    found: list[Outcome] = []
    async with on_two_addresses(public, inside) as port:
        for _ in range(4):
            reached = replace(outside(DEADLINE), network=guard(port, rebinding))
            found.append(await outcome(f"json://rebind.example.com:{port}/x", reached))
    assert [meaning_of(each) for each in found] == ["sent", "rejected"] * 2
    assert asked == ["rebind.example.com"] * 4
    assert [request.headers["host"] for request in public.requests] == [f"rebind.example.com:{port}"] * 2
    assert inside.requests == []


async def test_a_name_with_one_inside_address_among_its_own_is_refused(outside: Reaching) -> None:
    public, inside = TalkingServer(taking), TalkingServer(taking)

    async def mixed(_: str, __: int) -> tuple[IPv4Address, ...]:
        return IPv4Address("127.0.0.2"), IPv4Address("127.0.0.1")

    async with on_two_addresses(public, inside) as port:
        reached = replace(outside(DEADLINE), network=guard(port, mixed))
        found = await outcome(f"json://mixed.example.com:{port}/x", reached)
    assert isinstance(found, Rejected)
    assert public.requests == inside.requests == []


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost", "[::1]"])
async def test_the_inside_is_refused_in_any_spelling(host: str, outside: Reaching) -> None:
    async with talking(taking) as inside:
        network = open_network(NetworkSettings(ports=(inside.port,)))
        found = await outcome(f"json://{host}:{inside.port}/x", replace(outside(DEADLINE), network=network))
    assert isinstance(found, Rejected | Deferred)
    assert inside.requests == []


async def test_a_proxy_of_the_environment_is_not_asked(outside: Reaching, monkeypatch: pytest.MonkeyPatch) -> None:
    async with talking(taking) as proxy, talking(taking) as server:
        monkeypatch.setenv("HTTP_PROXY", f"http://localhost:{proxy.port}")
        found = await outcome(f"json://127.0.0.1:{server.port}/x", outside(DEADLINE))
    assert found == Rejected("the URL leads to another host")
    assert proxy.requests == []


@pytest.mark.parametrize(
    ("url", "host", "path", "answer"),
    [
        (f"pover://{'u' * 30}@{'a' * 30}", "api.pushover.net", "/1/messages.json", {"status": 1, "request": "1"}),
        ("tgram://123456789:abcdefghijklmnopqrst/12315544", "api.telegram.org", "/bot", {"ok": True, "result": {}}),
        ("discord://123456789012345678/abcdefghijklm", "discord.com", "/api/webhooks/", {}),
    ],
)
async def test_a_service_is_reached_at_its_own_place_over_tls(
    url: str,
    host: str,
    path: str,
    answer: dict[str, object],
    outside: Reaching,
    ca_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The plugin as it is, with a proxy of the operator's in place of the Internet."""
    reply = Reply(200, json.dumps(answer).encode())
    async with talking(lambda _: reply, server_tls(host)) as service, proxy_to(service.port) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(ca_file))
        assert await outcome(url, outside(DEADLINE)) == Sent()
    assert set(proxy.asked_for) == {f"{host}:443"}
    assert service.requests[-1].target.startswith(path)
    assert b"Your order was paid" in service.requests[-1].body.replace(b"+", b" ")


async def test_a_slow_answer_gives_its_thread_back_at_the_deadline(outside: Reaching) -> None:
    """More slow servers than there are threads, and then one that answers."""
    adapter = apprise_at("", outside(SHORT))
    async with raw.http_server(raw.dripping(Reply(200))) as slow, talking(taking) as server:
        message = replace(MESSAGE, to=f"json://127.0.0.1:{slow.port}/x")
        found = await asyncio.gather(*(adapter.send(message) for _ in range(20)))
        assert {meaning_of(each) for each in found} <= {"unknown", "deferred for the address"}
        await asyncio.sleep(0.2)  # for the threads to notice
        assert await adapter.send(replace(MESSAGE, to=f"json://127.0.0.1:{server.port}/x")) == Sent()
    await adapter.close()


async def test_what_waited_in_vain_for_a_thread_is_never_sent(network: Network) -> None:
    with ThreadPoolExecutor(1) as threads:
        patient, hasty = AppriseAdapter(network, DEADLINE, threads), AppriseAdapter(network, SHORT, threads)
        async with raw.http_server(raw.silent) as silent, talking(taking) as server:
            holding = asyncio.create_task(patient.send(replace(MESSAGE, to=f"json://127.0.0.1:{silent.port}/x")))
            while not silent.requests:
                await asyncio.sleep(0.01)
            found = await hasty.send(replace(MESSAGE, to=f"json://127.0.0.1:{server.port}/x"))
            holding.cancel()
            await asyncio.wait([holding])
            await asyncio.to_thread(threads.shutdown)
    assert found == Deferred("no answer in time", blame=Blame.ADDRESS)
    assert server.requests == []


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text += record.getMessage()


@pytest.fixture
def logged() -> Iterator[Kept]:
    """All that reaches the root, whatever its level."""
    kept, root = Kept(), logging.getLogger()
    level = root.level
    root.addHandler(kept)
    root.setLevel(1)
    yield kept
    root.removeHandler(kept)
    root.setLevel(level)


async def test_nothing_of_a_url_or_an_answer_is_logged(
    logged: Kept, outside: Reaching, capfd: pytest.CaptureFixture[str]
) -> None:
    async with talking(lambda _: Reply(500, b"canary")) as server:
        await outcome(f"json://u:canary@127.0.0.1:{server.port}/canary?+X-Token=canary", outside(DEADLINE))
    await outcome("tgram://123456789:canary-abcdefghijklmnopqrst/12315544", outside(DEADLINE))
    assert "canary" not in logged.text
    assert "canary" not in "".join(capfd.readouterr())


async def test_look_ups_of_others_are_left_alone(outside: Reaching) -> None:
    async with talking(taking) as server:
        await outcome(f"json://127.0.0.1:{server.port}/x", outside(DEADLINE))
        found = await asyncio.get_running_loop().getaddrinfo("127.0.0.1", server.port, type=socket.SOCK_STREAM)
    assert {where[1] for *_, where in found} == {server.port}


@pytest.mark.parametrize(
    ("replies", "meaning"),
    [({}, "sent"), ({"RCPT": "550 5.1.1 no such user"}, "deferred for the address")],
)
async def test_mail_goes_through_the_guard_too(replies: dict[str, str], meaning: str, outside: Reaching) -> None:
    async with smtp_server(replies) as server:
        url = f"mailto://127.0.0.1:{server.port}?to=a@example.com&from=b@example.com&mode=insecure"
        found = await outcome(url, outside(DEADLINE))
        connections = server.connections
        refused = await outcome(url, replace(outside(DEADLINE), network=open_network(NetworkSettings())))
    assert meaning_of(found) == meaning
    assert isinstance(refused, Rejected)
    assert server.connections == connections == 1
    assert len(server.mails) == (1 if meaning == "sent" else 0)
    assert all(b"\nBcc:" not in mail for mail in server.mails)


def test_a_report_has_nothing_but_a_status() -> None:
    assert report_of(False, ["Failed: Bad., error=400.", "Response Details: b'error=200'"]).status == 400
    assert report_of(False, ["Socket Exception: (535, b'5.7.8 no')"]).status == 535
    assert report_of(False, ["Socket Exception: Max retries exceeded with url: /"]).not_connected
    assert report_of(True, []) == report_of(True, ["Sent JSON POST notification."])


def test_importing_the_adapter_does_not_import_apprise(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = "import sys, tidings.spine.channels.providers; sys.exit('apprise' in sys.modules)"
    path = str(Path(__file__).parents[2] / "src")
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": path}, cwd=tmp_path).returncode == 0
