"""Code that opens its own sockets, in a thread whose sockets lead through the guard."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from ipaddress import ip_address
from typing import TypeVar

import pytest

from tests.channels.http_cases import unused_port
from tests.channels.servers import http_server as raw
from tests.channels.servers.http_server import Reply
from tests.channels.servers.talking import talking
from tidings.kit.settings import NetworkSettings
from tidings.spine.channels.confined import run_confined
from tidings.spine.channels.network import Network, open_network
from tidings.spine.channels.public_addresses import Address
from tidings.spine.channels.relay import NoWay, Relay

T = TypeVar("T")
_REQUEST = b"POST /x HTTP/1.1\r\nHost: hook.example.com\r\nContent-Length: 0\r\n\r\n"


def guard(port: int) -> Network:
    """Knows one name, which nobody else knows."""

    async def look_up(host: str, _: int) -> tuple[Address, ...]:
        if host not in ("hook.example.com", "127.0.0.1"):
            raise OSError("no such name")
        return (ip_address("127.0.0.1"),)

    return open_network(NetworkSettings(allow=(f"hook.example.com:{port}",), ports=(port,)), look_up)


async def confined(relay: Relay, work: Callable[[], T]) -> T:
    with ThreadPoolExecutor(1) as threads:
        try:
            return await run_confined(threads, relay, 5, work)
        finally:
            await relay.close()


def asked(host: str, port: int) -> bytes:
    """What a server answers to a request, to the end."""
    with socket.create_connection((host, port), 5) as connection:
        connection.sendall(_REQUEST)
        answer = b""
        while b"\r\n\r\n" not in answer and (chunk := connection.recv(65_536)):
            answer += chunk
        return answer


async def test_a_name_leads_to_the_address_that_the_guard_found() -> None:
    async with talking(lambda _: Reply(200)) as server:
        relay = Relay(guard(server.port), (server.port,))
        answer = await confined(relay, lambda: asked("hook.example.com", server.port))
    assert answer.startswith(b"HTTP/1.1 200")
    assert relay.may_have_sent


@pytest.mark.parametrize("host", ["127.0.0.1", "other.example.com", "", "not a host"])
async def test_what_the_guard_refuses_cannot_be_reached(host: str) -> None:
    async with talking(lambda _: Reply(200)) as server:
        relay = Relay(guard(server.port), (server.port,))
        with pytest.raises(OSError):
            await confined(relay, lambda: asked(host, server.port))
    assert relay.refused is not None
    assert not relay.may_have_sent
    assert server.requests == []


async def test_another_host_than_the_one_named_cannot_be_reached() -> None:
    async with talking(lambda _: Reply(200)) as server:
        relay = Relay(guard(server.port), (server.port,), frozenset({"elsewhere.example.com"}))
        with pytest.raises(NoWay):
            await confined(relay, lambda: asked("hook.example.com", server.port))
    assert server.requests == []


async def test_another_port_cannot_be_reached() -> None:
    relay = Relay(guard(unused_port()), (443,))
    with pytest.raises(NoWay, match="port 22 is not allowed"):
        await confined(relay, lambda: asked("hook.example.com", 22))


async def test_work_that_is_handed_on_with_its_context_stays_confined() -> None:
    async with talking(lambda _: Reply(200)) as server:
        failures: list[OSError] = []

        def attempt() -> None:
            try:
                asked("127.0.0.1", server.port)
            except OSError as error:
                failures.append(error)

        def hand_on() -> None:
            other = threading.Thread(target=copy_context().run, args=(attempt,))
            other.start()
            other.join()

        await confined(Relay(guard(server.port), (server.port,)), hand_on)
    assert [type(error) for error in failures] == [NoWay]
    assert server.requests == []


async def test_a_host_that_is_not_there_has_been_sent_nothing() -> None:
    port = unused_port()
    relay = Relay(guard(port), (port,))

    def attempt() -> bytes:
        try:
            return asked("hook.example.com", port)
        except ConnectionError:
            return b""

    assert await confined(relay, attempt) == b""
    assert not relay.may_have_sent


async def test_an_endless_answer_is_cut_at_the_limit() -> None:
    def drained(port: int) -> int:
        with socket.create_connection(("hook.example.com", port), 5) as connection:
            connection.sendall(_REQUEST)
            return sum(len(chunk) for chunk in iter(lambda: connection.recv(65_536), b""))

    async with raw.http_server(raw.endless(Reply(200))) as server:
        came = await confined(Relay(guard(server.port), (server.port,)), lambda: drained(server.port))
    assert 0 < came <= 2 * 65_536


async def test_when_the_send_is_over_whoever_waits_is_cut_off_and_cannot_begin_again() -> None:
    async with raw.http_server(raw.silent) as server:
        relay = Relay(guard(server.port), (server.port,))

        def attempts() -> list[str]:
            found = []
            for _ in range(2):
                try:
                    found.append(asked("hook.example.com", server.port).decode())
                except OSError as error:
                    found.append(type(error).__name__)
            return found

        with ThreadPoolExecutor(1) as threads:
            running = asyncio.create_task(run_confined(threads, relay, 5, attempts))
            while not server.requests:
                await asyncio.sleep(0.01)
            await relay.close()
            cut, again = await running
    assert cut in ("", "ConnectionResetError")
    assert again == "NoWay"
    assert len(server.requests) == 1
