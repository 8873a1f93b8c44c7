"""The provider, and who verifies what it made, as the settings have them."""

from __future__ import annotations

from typing import assert_never

from tidings.kit.db import Pool
from tidings.kit.settings import Settings
from tidings.modules.organizations.dns.logging import LoggingDns
from tidings.modules.organizations.dns.memory import MemoryDns
from tidings.modules.organizations.dns.port import DnsProvider
from tidings.modules.organizations.dns.verifying import Verifier


def open_dns(settings: Settings, limiter_pool: Pool) -> DnsProvider:
    """The provider that the settings name; to be closed at the end. Requests take turns by way of `limiter_pool`."""
    match settings.dns.provider:
        case "logging":
            return LoggingDns()
        case "memory":
            return MemoryDns()
        case "cloudflare":
            from tidings.modules.organizations.dns.cloudflare import open_cloudflare  # its SDK takes a second

            return open_cloudflare(settings, limiter_pool)
        case _:
            assert_never(settings.dns.provider)


def open_verifier(settings: Settings, provider: DnsProvider) -> Verifier:
    dns = settings.dns
    return Verifier(provider, dns.resolvers, dns.quorum, dns.resolver_timeout)
