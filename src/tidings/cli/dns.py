"""Whether the DNS records of organisations can be reached with the settings that there are."""

from __future__ import annotations

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
