"""Where Apprise gets through to, and where not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from ipaddress import IPv4Address, ip_address
from pathlib import Path

import pytest

from tests.channels.apprise_case import outcome, taking
from tests.channels.authority import server_tls
from tests.channels.meanings import meaning_of
from tests.channels.servers.http_server import Reply
from tests.channels.servers.proxy import proxy_to
from tests.channels.servers.smtp_server import smtp_server
from tests.channels.servers.talking import TalkingServer, talking
from tidings.embedded.ports import free_port
from tidings.kit.settings import NetworkSettings
from tidings.spine.channels.network import LookUp, Network, open_network
from tidings.spine.channels.port import Deferred, Outcome, Rejected, Sent
from tidings.spine.channels.registry import Outside

DEADLINE = timedelta(seconds=10)
Reaching = Callable[[timedelta], Outside]


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
    port = free_port()
    one = await asyncio.start_server(first.serve, "127.0.0.2", port)
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
