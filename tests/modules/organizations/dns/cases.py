"""The providers that the suite tries, and what some of them cannot do by their nature."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto

from pydantic import SecretStr

from tests.modules.organizations.dns.servers.cloudflare import TOKEN, Cloudflare, cloudflare
from tidings.kit.settings import DnsSettings, Settings
from tidings.modules.organizations.dns.cloudflare import CloudflareDns, opened
from tidings.modules.organizations.dns.logging import LoggingDns
from tidings.modules.organizations.dns.memory import MemoryDns
from tidings.modules.organizations.dns.port import DnsProvider

DOMAINS = ("example.com", "example.org")
PATIENT = timedelta(seconds=20)


class Promise(Enum):
    KEEPS_RECORDS = auto()
    KNOWS_ITS_ZONES = auto()  # and that there are no others


@dataclass(frozen=True)
class Case:
    """One provider, which keeps `DOMAINS`."""

    name: str
    start: Callable[[], AbstractAsyncContextManager[DnsProvider]]
    asks_the_world: bool
    cannot: frozenset[Promise] = frozenset()


async def at_once() -> None:
    """It is always our turn."""


def settings_for(server: Cloudflare, token: str = TOKEN, deadline: timedelta = PATIENT) -> Settings:
    return Settings(dns=DnsSettings(provider="cloudflare", token=SecretStr(token), url=server.url, deadline=deadline))


@asynccontextmanager
async def reaching(
    server: Cloudflare, *, token: str = TOKEN, deadline: timedelta = PATIENT, page: int = 100
) -> AsyncIterator[CloudflareDns]:
    """The adapter for Cloudflare at this server, without waiting for turns."""
    dns = CloudflareDns(opened(settings_for(server, token, deadline)), at_once, deadline, page)
    try:
        yield dns
    finally:
        await dns.close()


@asynccontextmanager
async def _cloudflare() -> AsyncIterator[DnsProvider]:
    async with cloudflare(DOMAINS) as server, reaching(server, page=2) as dns:
        yield dns


@asynccontextmanager
async def _memory() -> AsyncIterator[DnsProvider]:
    dns = MemoryDns(DOMAINS)
    yield dns
    await dns.close()


@asynccontextmanager
async def _logging() -> AsyncIterator[DnsProvider]:
    dns = LoggingDns()
    yield dns
    await dns.close()


CASES = (
    Case("cloudflare", _cloudflare, asks_the_world=True),
    Case("memory", _memory, asks_the_world=False),
    Case("logging", _logging, asks_the_world=False, cannot=frozenset(Promise)),
)
