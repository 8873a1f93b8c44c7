"""Asks resolvers for a name, all at once, each on its own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import dns.asyncbackend
import dns.asyncresolver
import dns.exception
import dns.name
import dns.resolver

from tidings.kit.nameservers import nameserver
from tidings.modules.organizations.dns.port import DnsProvider
from tidings.modules.organizations.dns.verification import UNASKED, Answer, Verification, decided

__all__ = ["Answer", "Verification", "Verifier", "decided"]

_LONGEST_ERROR = 200


@dataclass(frozen=True)
class Verifier:
    """Says whether a name can be seen by `quorum` of the resolvers. That it cannot is a result, and never raised."""

    provider: DnsProvider
    resolvers: tuple[str, ...]
    quorum: int
    lifetime: timedelta  # of one resolver's answer, all its attempts together

    async def verify(self, name: str) -> Verification:
        """Asks nobody where the provider's records cannot be seen from outside."""
        if not self.provider.asks_the_world:
            return UNASKED
        return decided(await asyncio.gather(*(self._ask(each, name) for each in self.resolvers)), self.quorum)

    async def _ask(self, server: str, name: str) -> Answer:
        try:
            found = await self._resolver(server).resolve(
                dns.name.from_text(name), "A", search=False, backend=dns.asyncbackend.get_backend("asyncio")
            )
        except (dns.exception.DNSException, OSError, EOFError) as error:
            return Answer(server=server, success=False, addresses=[], error=_in_words(error))
        return Answer(server=server, success=True, addresses=sorted(each.address for each in found))

    def _resolver(self, server: str) -> dns.asyncresolver.Resolver:
        """One of its own for each question: a cache would go on saying what was true when it was first asked."""
        host, port = nameserver(server)
        resolver = dns.asyncresolver.Resolver(configure=False)
        resolver.nameservers = [host]
        resolver.port = port
        resolver.lifetime = self.lifetime.total_seconds()
        return resolver


def _in_words(error: Exception) -> str:
    match error:
        case dns.resolver.NXDOMAIN():
            return "There is no such name."
        case dns.resolver.NoAnswer():
            return "The name has no address."
        case dns.resolver.LifetimeTimeout():
            return "No answer in time."
        case dns.resolver.NoNameservers():
            return _failure(error)
        case _:
            return (str(error) or type(error).__name__)[:_LONGEST_ERROR]


def _failure(error: dns.resolver.NoNameservers) -> str:
    """What the one resolver that was asked failed with."""
    errors = error.kwargs.get("errors", [])
    return f"Failed: {errors[-1][3]}"[:_LONGEST_ERROR] if errors else "Failed."
