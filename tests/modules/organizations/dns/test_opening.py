"""Which provider the settings name, and settings that are wrong."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from tidings.kit.db import Pool
from tidings.kit.errors import Misconfigured
from tidings.kit.nameservers import nameserver
from tidings.kit.settings import DnsSettings, NetworkSettings, Settings, load_settings
from tidings.modules.organizations.dns.cloudflare import CloudflareDns
from tidings.modules.organizations.dns.logging import LoggingDns
from tidings.modules.organizations.dns.memory import MemoryDns
from tidings.modules.organizations.dns.opening import open_dns, open_verifier
from tidings.modules.organizations.dns.port import NewRecord

ROOT = Path(__file__).parents[4]
TOKEN = "a-token-that-nobody-may-see"


def test_without_settings_nothing_is_made_and_the_world_would_be_asked_at_three_places() -> None:
    dns = Settings().dns
    assert (dns.provider, dns.token, dns.url) == ("logging", None, "https://api.cloudflare.com/client/v4")
    assert (dns.resolvers, dns.quorum) == (("8.8.8.8", "1.1.1.1", "208.67.222.222"), 2)
    assert (dns.deadline, dns.resolver_timeout) == (timedelta(seconds=30), timedelta(seconds=5))


async def test_the_settings_name_the_provider(pool: Pool) -> None:
    token = SecretStr(TOKEN)
    for name, kind in {"logging": LoggingDns, "memory": MemoryDns, "cloudflare": CloudflareDns}.items():
        dns = open_dns(Settings(dns=DnsSettings.model_validate({"provider": name, "token": token})), pool)
        assert isinstance(dns, kind)
        assert TOKEN not in repr(dns)
        await dns.close()


def test_the_settings_say_who_is_asked() -> None:
    settings = Settings(dns=DnsSettings(resolvers=("127.0.0.1:5353", "[::1]:5353"), quorum=1))
    provider = LoggingDns()
    verifier = open_verifier(settings, provider)
    assert verifier.provider is provider
    assert (verifier.resolvers, verifier.quorum) == (("127.0.0.1:5353", "[::1]:5353"), 1)
    assert verifier.lifetime == timedelta(seconds=5)


def test_who_does_not_use_it_does_not_pay_for_the_sdk() -> None:
    program = "import sys, tidings.modules.organizations.dns.opening; sys.exit('cloudflare' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


_ALL_OF_IT = """
import asyncio, sys
from datetime import timedelta
from tests.modules.organizations.dns.cases import reaching
from tests.modules.organizations.dns.servers.cloudflare import cloudflare
from tidings.modules.organizations.dns.port import NewRecord

async def use():
    async with cloudflare() as server, reaching(server) as dns:
        before = {name for name in sys.modules if name.startswith("cloudflare")}
        zone = await dns.zone("example.com")
        made = await dns.create(zone, NewRecord("CNAME", "a.example.com", "app.example.com", True, None))
        await dns.records(zone)
        await dns.delete(zone, made.id)
        print(*{name for name in sys.modules if name.startswith("cloudflare")} - before)

asyncio.run(use())
"""


def test_once_it_is_opened_no_request_waits_for_the_sdk_to_be_imported() -> None:
    """It would hold up everything else in the worker for as long."""
    done = subprocess.run([sys.executable, "-c", _ALL_OF_IT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


async def test_certificates_are_those_of_the_settings(pool: Pool, tmp_path_factory: pytest.TempPathFactory) -> None:
    nothing = tmp_path_factory.mktemp("ca") / "ca.pem"
    dns = DnsSettings(provider="cloudflare", token=SecretStr(TOKEN))
    with pytest.raises(Misconfigured, match="TIDINGS_NETWORK_CA_FILE"):
        open_dns(Settings(dns=dns, network=NetworkSettings(ca_file=nothing)), pool)


@pytest.mark.parametrize(
    ("told", "said"),
    {
        "PROVIDER=cloudflare": "TIDINGS_DNS_TOKEN: is not set, and Cloudflare takes nothing without it",
        "PROVIDER=bind": "TIDINGS_DNS_PROVIDER: must be 'logging', 'memory' or 'cloudflare'",
        "TOKEN=in two\nlines": "TIDINGS_DNS_TOKEN: must be letters, digits and signs without spaces",
        "URL=api.cloudflare.com": "TIDINGS_DNS_URL: must be an address such as https://",
        "QUORUM=4": "TIDINGS_DNS_QUORUM: must not be more than there are resolvers, 3",
        "QUORUM=0": "TIDINGS_DNS_QUORUM: must be 1 or more",
        "RESOLVERS=1.1.1.1": "TIDINGS_DNS_QUORUM: must not be more than there are resolvers, 1",
        "RESOLVERS=1.1.1.1,1.1.1.1:53": "TIDINGS_DNS_RESOLVERS: must not name one twice",
        "RESOLVERS=1.1.1.1,dns.example.com": "TIDINGS_DNS_RESOLVERS: dns.example.com is not an IP address",
        "DEADLINE=30": "TIDINGS_DNS_DEADLINE: must be a number with its unit",
        "RESOLVER_TIMEOUT=0s": "TIDINGS_DNS_RESOLVER_TIMEOUT: must be longer than zero",
        "RESOLVER=1.1.1.1": "TIDINGS_DNS_RESOLVER: there is no such setting (did you mean TIDINGS_DNS_RESOLVERS?)",
    }.items(),
)
def test_what_is_wrong_is_said_by_its_name(monkeypatch: pytest.MonkeyPatch, told: str, said: str) -> None:
    name, _, value = told.partition("=")
    monkeypatch.setenv(f"TIDINGS_DNS_{name}", value)
    with pytest.raises(Misconfigured) as error:
        load_settings()
    assert str(error.value).startswith(said)
    assert "in two" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("8.8.8.8", ("8.8.8.8", 53)),
        ("127.0.0.1:5353", ("127.0.0.1", 5353)),
        ("[2001:4860:4860::8888]", ("2001:4860:4860::8888", 53)),
        ("[::1]:5353", ("::1", 5353)),
    ],
)
def test_a_resolver_is_an_address_with_or_without_a_port(text: str, place: tuple[str, int]) -> None:
    assert nameserver(text) == place


NOWHERE = (
    *("", "localhost", "::1", "[1.1.1.1]", "[::1", "1.1.1", "1.1.1.1 ", "1.1.1.1/x", "a@1.1.1.1"),
    *("1.1.1.1:", "1.1.1.1:0", "1.1.1.1:65536", "1.1.1.1:x"),
)


@pytest.mark.parametrize("text", NOWHERE)
def test_all_else_is_no_resolver(text: str) -> None:
    with pytest.raises(ValueError, match="is not an IP address"):
        nameserver(text)


async def test_what_is_only_logged_is_logged_in_full() -> None:
    dns = LoggingDns()
    zone = await dns.zone("example.com")
    wanted = NewRecord("CNAME", "acme.example.com", "app.example.com", proxied=True, comment="tidings 1234")
    with capture_logs() as logs:
        record = await dns.create(zone, wanted)
        assert await dns.create(zone, wanted) == record
        await dns.delete(zone, record.id)
    made, again, deleted = logs
    assert made == again
    assert made == {
        "event": "would make a record",
        "log_level": "info",
        "zone": "example.com",
        "record_type": "CNAME",
        "name": "acme.example.com",
        "content": "app.example.com",
        "proxied": True,
        "comment": "tidings 1234",
    }
    assert (deleted["event"], deleted["record"]) == ("would delete a record", record.id)
