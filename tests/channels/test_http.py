"""What the conformance suite does not show of outgoing HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from ipaddress import ip_address
from pathlib import Path

import pytest

from tests.channels.authority import server_tls
from tests.channels.servers.http_server import Reply, http_server, orderly
from tests.channels.times import PATIENT, SHORT
from tidings.kit.settings import NetworkSettings
from tidings.spine.channels.http import HttpClient
from tidings.spine.channels.network import Network, open_network
from tidings.spine.channels.port import Answer, Deferred, Rejected, Unknown
from tidings.spine.channels.public_addresses import Address


@pytest.fixture
async def http(network: Network) -> AsyncIterator[HttpClient]:
    client = HttpClient(network, PATIENT, max_body=1_000, connections=2)
    yield client
    await client.close()


async def post(http: HttpClient, url: str) -> Answer:
    found = await http.request("POST", url, headers={}, body=b"{}")
    assert isinstance(found, Answer)
    return found


async def test_an_answer_comes_whole(http: HttpClient) -> None:
    async with http_server(orderly(Reply(201, b"made", {"X-Id": "7"}))) as server:
        assert await post(http, f"http://127.0.0.1:{server.port}/a%2Fb/../c?d=%20e") == Answer(
            201, {"x-id": "7", "content-length": "4"}, b"made"
        )
        assert server.requests[0].target == "/a%2Fb/../c?d=%20e"
        assert server.requests[0].body == b"{}"


async def test_tls_is_checked_against_the_name_though_the_connection_goes_to_the_address(http: HttpClient) -> None:
    async with http_server(orderly(Reply(200)), tls=server_tls("localhost")) as server:
        assert (await post(http, f"https://localhost:{server.port}/")).status == 200


async def test_a_certificate_for_another_name_is_not_accepted(http: HttpClient) -> None:
    async with http_server(orderly(Reply(200)), tls=server_tls("elsewhere.example")) as server:
        found = await http.request("POST", f"https://localhost:{server.port}/", headers={}, body=b"")
        assert found == Deferred("the server's certificate is not acceptable")
        assert server.requests == []


async def test_connections_are_used_again(http: HttpClient) -> None:
    seen: set[object] = set()

    async def answer(writer: asyncio.StreamWriter) -> None:
        seen.add(writer.get_extra_info("peername"))
        await orderly(Reply(200))(writer)

    async with http_server(answer) as server:
        for _ in range(3):
            await post(http, f"http://127.0.0.1:{server.port}/")
    assert len(seen) == 1


async def test_cookies_are_not_kept(http: HttpClient) -> None:
    async with http_server(orderly(Reply(200, headers={"Set-Cookie": "a=b"}))) as server:
        for _ in range(2):
            await post(http, f"http://127.0.0.1:{server.port}/")
        assert "cookie" not in server.requests[1].headers


async def test_an_answer_beyond_the_limit_is_cut_and_says_so(http: HttpClient) -> None:
    async with http_server(orderly(Reply(200, b"x" * 5_000))) as server:
        found = await post(http, f"http://127.0.0.1:{server.port}/")
    assert (found.status, len(found.body), found.whole) == (200, 1_000, False)


async def test_an_answer_that_breaks_off_counts_by_its_status(http: HttpClient) -> None:
    async def breaking(writer: asyncio.StreamWriter) -> None:
        writer.write(Reply(503).head(100) + b"half")
        await writer.drain()
        writer.close()

    async with http_server(breaking) as server:
        found = await post(http, f"http://127.0.0.1:{server.port}/")
    assert (found.status, found.body, found.whole) == (503, b"half", False)


async def test_a_compressed_answer_is_not_unpacked(http: HttpClient) -> None:
    async with http_server(orderly(Reply(200, b"\x1f\x8b", {"Content-Encoding": "gzip"}))) as server:
        assert (await post(http, f"http://127.0.0.1:{server.port}/")).body == b"\x1f\x8b"


async def test_headers_that_drip_end_at_the_deadline(network: Network) -> None:
    async def dripping(writer: asyncio.StreamWriter) -> None:
        for char in "HTTP/1.1 200 OK\r\n" + "X-Drip: " + "x" * 1_000:
            writer.write(char.encode())
            await asyncio.sleep(0.05)

    client = HttpClient(network, SHORT, max_body=1_000, connections=2)
    async with http_server(dripping) as server:
        found = await client.request("POST", f"http://127.0.0.1:{server.port}/", headers={}, body=b"")
    await client.close()
    assert isinstance(found, Unknown)


@pytest.mark.parametrize("value", ["a\r\nX-Evil: b", "a\nb", "a\x00", "ü"])
async def test_a_header_that_is_none_is_rejected_before_anything_is_sent(value: str, http: HttpClient) -> None:
    async with http_server(orderly(Reply(200))) as server:
        url = f"http://127.0.0.1:{server.port}/"
        found = await http.request("POST", url, headers={"Authorization": value}, body=b"")
        assert found == Rejected("a header is not valid")
        assert server.requests == []


async def test_the_next_address_is_tried_where_one_does_not_answer() -> None:
    async def two(host: str, port: int) -> tuple[Address, ...]:
        return ip_address("127.0.0.3"), ip_address("127.0.0.1")

    client = HttpClient(open_network(NetworkSettings(allow=("two.example",)), two), PATIENT, 1_000, 2)
    async with http_server(orderly(Reply(200))) as server:
        assert (await post(client, f"http://two.example:{server.port}/")).status == 200
    await client.close()


async def test_a_connection_is_not_shared_by_two_names_at_one_address(ca_file: Path) -> None:
    async def one(host: str, port: int) -> tuple[Address, ...]:
        return (ip_address("127.0.0.1"),)

    settings = NetworkSettings(allow=("127.0.0.0/8",), ports=(443,), ca_file=ca_file)
    async with http_server(orderly(Reply(200)), tls=server_tls("good.example")) as server:
        network = open_network(settings.model_copy(update={"ports": (server.port,)}), one)
        client = HttpClient(network, PATIENT, 1_000, 2)
        assert (await post(client, f"https://good.example:{server.port}/")).status == 200
        other = await client.request("POST", f"https://other.example:{server.port}/", headers={}, body=b"")
        await client.close()
    assert other == Deferred("the server's certificate is not acceptable")
