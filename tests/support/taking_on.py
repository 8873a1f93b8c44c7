"""What real processes need to take organisations on: Cloudflare, resolvers, Temporal on loopback, and short waits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from tests.modules.organizations.dns.servers.cloudflare import Cloudflare
from tests.modules.organizations.dns.servers.resolver import resolver

_ADDRESS = "192.0.2.7"
WAITS = {
    "TIDINGS_ORGANIZATIONS_PROPAGATION_WAIT": "10ms",
    "TIDINGS_ORGANIZATIONS_VERIFY_EVERY": "1s",
    "TIDINGS_ORGANIZATIONS_RECONCILE_EVERY": "1h",  # whoever wants a look has one
}
"""Of whoever asks: a bootstrap goes by them from its start to its end."""


@asynccontextmanager
async def surroundings(provider: Cloudflare, temporal: str) -> AsyncIterator[Mapping[str, str]]:
    """The settings of a worker, while resolvers say of every name that it is there."""
    async with AsyncExitStack() as stack:
        resolvers = [await stack.enter_async_context(resolver(_ADDRESS)) for _ in range(3)]
        yield {
            "TIDINGS_TEMPORAL_ADDRESS": temporal,
            "TIDINGS_DNS_PROVIDER": "cloudflare",
            "TIDINGS_DNS_URL": provider.url,
            "TIDINGS_DNS_TOKEN": provider.token,
            "TIDINGS_DNS_DEADLINE": "5s",
            "TIDINGS_DNS_RESOLVERS": ",".join(each.server for each in resolvers),
            "TIDINGS_ORGANIZATIONS_RECONCILE_EVERY": "1h",
        }
