"""Every spelling of an inside address, every way to get there, and the operator's own list."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from pathlib import Path

import pytest

from tests.channels.servers.http_server import HttpServer, Reply, http_server, orderly
from tests.channels.times import PATIENT
from tidings.kit.errors import Misconfigured
from tidings.kit.settings import NetworkSettings
from tidings.spine.channels.http import HttpClient
from tidings.spine.channels.network import LookUp, Network, Pinned, open_network
from tidings.spine.channels.places import Place
from tidings.spine.channels.port import Answer, Deferred, Rejected
from tidings.spine.channels.public_addresses import Address

TRUSTED = "127.0.0.2"  # stands for a public address: allowed by the operator


class Names:
    """A name server of the test's own: `evil.example` has one answer after the other, the last one for ever."""

    def __init__(self, *answers: tuple[str, ...]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def look_up(self, host: str, port: int) -> tuple[Address, ...]:
        self.asked += 1
        if host != "evil.example":
            raise OSError("no such name")
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return tuple(ip_address(address) for address in found)


def guard(*allow: str, look_up: LookUp | None = None, ports: tuple[int, ...] = (80, 443)) -> Network:
    return open_network(NetworkSettings(allow=allow, ports=ports), look_up)


@asynccontextmanager
async def client(network: Network) -> AsyncIterator[HttpClient]:
    http = HttpClient(network, PATIENT, max_body=1_000, connections=10)
    try:
        yield http
    finally:
        await http.close()


@pytest.fixture
async def inside() -> AsyncIterator[HttpServer]:
    """A server on loopback that nobody should reach."""
    async with http_server(orderly(Reply(200, b"the inside"))) as server:
        yield server


async def fetched(network: Network, url: str) -> object:
    async with client(network) as http:
        return await http.request("POST", url, headers={}, body=b"")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.1",
        "017700000001",
        "0177.0.0.01",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[::127.0.0.1]",
        "１２７.0.0.1",
        "①②⑦.0.0.1",
    ],
)
async def test_loopback_is_not_reached_in_any_spelling(host: str, inside: HttpServer) -> None:
    found = await fetched(guard(ports=(inside.port,)), f"http://{host}:{inside.port}/")
    assert isinstance(found, Rejected)
    assert inside.requests == []


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "2852039166",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "169.254.43518",
        "[::ffff:169.254.169.254]",
        "[2002:a9fe:a9fe::]",
        "[64:ff9b::169.254.169.254]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "100.100.100.200",
        "10.0.0.1",
        "192.168.0.1",
    ],
)
async def test_metadata_and_private_addresses_are_refused_in_any_spelling(host: str) -> None:
    assert await fetched(guard(), f"http://{host}/latest/meta-data/") == Rejected("the host is not a public address")


async def test_a_name_with_one_inside_address_among_its_own_is_refused() -> None:
    names = Names(("93.184.215.14", "10.0.0.1"))
    assert isinstance(await guard(look_up=names.look_up).resolve("evil.example", 443), Rejected)


async def test_a_refusal_does_not_say_what_the_name_resolved_to() -> None:
    found = await guard(look_up=Names(("10.1.2.3",)).look_up).resolve("evil.example", 443)
    assert isinstance(found, Rejected)
    assert "10.1.2.3" not in found.reason


async def test_a_name_that_is_not_found_is_deferred() -> None:
    assert isinstance(
        await guard(
            look_up=Names(
                (),
            ).look_up
        ).resolve("none.example", 443),
        Deferred,
    )
    assert isinstance(
        await guard(
            look_up=Names(
                (),
            ).look_up
        ).resolve("evil.example", 443),
        Deferred,
    )


async def test_a_name_that_answers_otherwise_the_second_time_is_connected_to_where_it_was_checked(
    inside: HttpServer,
) -> None:
    names = Names((TRUSTED,), ("127.0.0.1",))
    network = guard(f"{TRUSTED}/32", look_up=names.look_up, ports=(inside.port,))
    async with http_server(orderly(Reply(200, b"as checked")), host=TRUSTED, port=inside.port) as server:
        found = await fetched(network, f"http://evil.example:{inside.port}/")
        assert isinstance(found, Answer)
        assert found.body == b"as checked"
        assert server.requests[0].headers["host"] == f"evil.example:{inside.port}"
    assert names.asked == 1
    assert inside.requests == []


async def test_a_checked_name_is_looked_up_again_only_after_a_while() -> None:
    names = Names(("93.184.215.14",))
    network = guard(look_up=names.look_up)
    assert await network.resolve("evil.example", 443) == Pinned(("93.184.215.14",))
    assert await network.resolve("evil.example", 443) == Pinned(("93.184.215.14",))
    assert names.asked == 1


async def test_a_refusal_is_not_remembered() -> None:
    network = guard(look_up=Names(("10.0.0.1",), ("93.184.215.14",)).look_up)
    assert isinstance(await network.resolve("evil.example", 443), Rejected)
    assert isinstance(await network.resolve("evil.example", 443), Pinned)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(status: int, inside: HttpServer) -> None:
    elsewhere = Reply(status, headers={"Location": f"http://127.0.0.1:{inside.port}/"})
    async with http_server(orderly(elsewhere), host=TRUSTED) as server:
        found = await fetched(guard(f"{TRUSTED}/32"), f"http://{TRUSTED}:{server.port}/")
    assert isinstance(found, Answer)
    assert found.status == status
    assert inside.requests == []


async def test_a_proxy_in_the_environment_is_not_used(inside: HttpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{inside.port}")
    async with http_server(orderly(Reply(204)), host=TRUSTED) as server:
        found = await fetched(guard(f"{TRUSTED}/32"), f"http://{TRUSTED}:{server.port}/")
    assert isinstance(found, Answer)
    assert inside.requests == []


@pytest.mark.parametrize("port", [22, 25, 5432, 6379, 8400])
async def test_ports_beyond_the_list_are_refused(port: int) -> None:
    assert guard().checked_url(f"http://example.com:{port}/") == Rejected(f"port {port} is not allowed")


@pytest.mark.parametrize(
    ("allow", "host", "port"),
    [
        ("hooks.internal", "hooks.internal", 9000),
        ("Hooks.Internal", "hooks.internal", 443),
        ("hooks.internal:9000", "hooks.internal", 9000),
        ("10.0.0.0/8", "10.1.2.3", 9000),
        ("10.1.2.3", "10.1.2.3", 443),
        ("10.1.2.3:9000", "10.1.2.3", 9000),
        ("fd00::/8", "[fd00::1]", 443),
        ("fd00::1", "[fd00::1]", 443),
        ("[fd00::1]:9000", "[fd00::1]", 9000),
    ],
)
async def test_the_operator_can_allow_a_host_a_port_or_a_network(allow: str, host: str, port: int) -> None:
    assert isinstance(guard(allow).checked_url(f"http://{host}:{port}/"), Place)


@pytest.mark.parametrize(
    ("allow", "url"),
    [
        ("10.1.2.3:9000", "http://10.1.2.3:9001/"),
        ("10.1.2.3:9000", "http://10.1.2.3/"),
        ("10.0.0.0/8", "http://192.168.0.1/"),
        ("hooks.internal", "http://other.internal:9000/"),
        ("hooks.internal", "http://sub.hooks.internal:9000/"),
    ],
)
async def test_what_is_allowed_allows_nothing_beside_it(allow: str, url: str) -> None:
    assert isinstance(guard(allow).checked_url(url), Rejected)


async def test_a_name_may_resolve_into_an_allowed_network() -> None:
    network = guard("10.0.0.0/8", look_up=Names(("10.0.0.1",)).look_up)
    assert await network.resolve("evil.example", 443) == Pinned(("10.0.0.1",))


@pytest.mark.parametrize("word", ["10.0.0.0/99", "host:port", "host:99999", "a b", "*.example.com", "http://x"])
def test_an_allow_list_that_cannot_be_read_is_said_at_once(word: str) -> None:
    with pytest.raises(Misconfigured, match="TIDINGS_NETWORK_ALLOW"):
        guard(word)


def test_a_file_of_certificates_that_cannot_be_read_is_said_at_once(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.write_text("")
    for path in (tmp_path / "missing.pem", empty):
        with pytest.raises(Misconfigured, match="TIDINGS_NETWORK_CA_FILE"):
            open_network(NetworkSettings(ca_file=path))
