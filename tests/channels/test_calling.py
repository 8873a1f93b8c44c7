"""Whether a URL may be saved: what can be said of it without looking a name up."""

from __future__ import annotations

import pytest

from tidings.kit.settings import NetworkSettings
from tidings.spine.channels.calling import Calling
from tidings.spine.channels.network import open_network
from tidings.spine.channels.public_addresses import Address

PRIVATE = "the host is not a public address"


async def nobody(host: str, port: int) -> tuple[Address, ...]:
    raise AssertionError(f"{host} was looked up")


def refused(kind: str, url: str, *allow: str) -> str | None:
    return Calling(open_network(NetworkSettings(allow=tuple(allow)), nobody)).refused(kind, url)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[fd00::1]"),
        *("2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0x7f.1", "0", "localhost", "LOCALHOST.", "a.localhost"),
    ],
)
@pytest.mark.parametrize("kind", ["webhook", "slack", "apprise"])
def test_a_private_address_is_refused_in_every_spelling(kind: str, host: str) -> None:
    assert refused(kind, f"{'json' if kind == 'apprise' else 'http'}://{host}/hook") == PRIVATE


@pytest.mark.parametrize(
    ("kind", "url", "reason"),
    [
        ("webhook", "https://example.com:22/", "port 22 is not allowed"),
        ("slack", "ftp://example.com/", "the URL must start with http:// or https://"),
        ("webhook", "https://us:secret@example.com/", "a URL with a user name in it is not allowed"),
        ("apprise", "file:///etc/passwd", "this is not an Apprise URL"),
        ("apprise", "syslog://example.com/", "syslog:// is not allowed"),
        ("apprise", "json://example.com/?redirect=yes", "the parameter redirect is not allowed in json://"),
        ("apprise", "json://example.com:6379/", "port 6379 is not allowed"),
        ("apprise", "mailto://us:secret@example.com?smtp=127.0.0.1", PRIVATE),
    ],
)
def test_the_reason_is_told_and_nothing_of_the_url(kind: str, url: str, reason: str) -> None:
    assert refused(kind, url) == reason


@pytest.mark.parametrize(
    ("kind", "url"),
    [
        ("webhook", "https://hooks.example.com/in/7"),
        ("slack", "http://8.8.8.8:8080/"),
        ("apprise", "ntfys://ntfy.example.com/topic"),
        ("apprise", "discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js"),
    ],
)
def test_what_may_be_called_is_not_looked_up(kind: str, url: str) -> None:
    assert refused(kind, url) is None


def test_the_operators_list_counts_when_saving_too() -> None:
    assert refused("webhook", "http://10.0.0.7:9000/", "10.0.0.0/8") is None
    assert refused("webhook", "http://localhost:9000/", "localhost:9000") is None
    assert refused("webhook", "http://localhost:9001/", "localhost:9000") == "port 9001 is not allowed"
