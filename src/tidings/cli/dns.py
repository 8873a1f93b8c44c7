"""Whether organisations can have DNS records with the settings that there are, and theirs can be reached."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from tidings.kit import db
from tidings.kit.db import Connection
from tidings.kit.errors import Misconfigured
from tidings.kit.settings import Settings

# Whoever keeps no zones calls them by the names of their domains.
_ELSEWHERE = """
SELECT count(*) FROM tidings.organizations_projection o
WHERE o.dns_record_ours AND EXISTS (
    SELECT FROM tidings.facts f
    WHERE f.tenant = o.tenant AND f.stream_type = 'organization' AND f.stream_id = o.id::text
        AND f.type = 'organization.dns.configured' AND f.data ->> 'recordId' = o.dns_record_id
        AND f.data ->> 'zoneId' <> o.base_domain)
"""


_NOWHERE = frozenset({"localhost", "local", "internal", "test", "example", "invalid"})
"""Of what is under these no resolver of the world knows anything."""


async def require_reachable(settings: Settings, connection: Connection) -> None:
    """Refuses where mending would say that records are gone which are at a provider that is not set here."""
    if settings.dns.provider == "memory":
        raise Misconfigured(
            "TIDINGS_DNS_PROVIDER: `memory` keeps records inside the worker, which looks by itself; nobody else can"
        )
    if settings.dns.provider == "cloudflare" and settings.dns.token is None:
        raise Misconfigured("TIDINGS_DNS_TOKEN: is not set; give the one that your workers have")
    if (fault := await kept_elsewhere(settings, connection)) is not None:
        raise Misconfigured(f"TIDINGS_DNS_PROVIDER: {fault}")


async def kept_elsewhere(settings: Settings, connection: Connection) -> str | None:
    """What is wrong where organisations have records, and the settings name a provider that has none."""
    if settings.dns.provider == "cloudflare":
        return None
    elsewhere: int = await connection.fetchval(_ELSEWHERE)
    if not elsewhere:
        return None
    have = "1 organisation has its record" if elsewhere == 1 else f"{elsewhere} organisations have their records"
    return f"is `{settings.dns.provider}`, and {have} at Cloudflare; set what your workers had when they were made"


async def faults_of_zones(settings: Settings, pool: db.Pool) -> AsyncIterator[str]:
    """What the provider says of each base domain that is not as it should be. It is asked for nothing but its zones."""
    from tidings.modules.organizations.dns.opening import open_dns
    from tidings.modules.organizations.findings import TROUBLES

    provider = open_dns(settings, pool)
    try:
        for domain in settings.organizations.domains.values():
            try:
                await provider.zone(domain)
            except TROUBLES as error:
                yield f"{domain}: {error}"
    finally:
        await provider.close()


async def warnings_of_domains(settings: Settings, connection: Connection) -> list[str]:
    """What works, and will not do what is hoped for."""
    domains = settings.organizations.domains
    known = {row["id"] for row in await connection.fetch("SELECT id FROM tidings.tenants")}
    found = [f"there is no tenant {each}, which has {domains[each]}" for each in domains if each not in known]
    if settings.dns.provider == "cloudflare":
        return [*found, *(f"nobody can see what is under {each}" for each in _unseen(domains.values()))]
    return found


def _unseen(domains: Iterable[str]) -> list[str]:
    return [each for each in domains if each.rpartition(".")[2] in _NOWHERE]
