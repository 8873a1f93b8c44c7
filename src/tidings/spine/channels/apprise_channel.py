"""Whatever Apprise can reach, by its URLs, within limits: see `apprise_schemes.py`, `relay.py` and `confined.py`.

Apprise says little about why something failed. A status that means "never" (400, 401, 403, 404, 405, 410, 413, 422)
is rejected, and 410 gone; what the network guard refuses is rejected; all else is deferred, on account of this
address alone. Time that runs out, and connections that break, once something was carried out are unknown. Of several
URLs in one address, one success is enough: the record says how the others fared. No reason repeats anything of a URL.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta

from tidings.spine.channels.answers import blaming_the_address
from tidings.spine.channels.apprise_schemes import Kind
from tidings.spine.channels.apprise_sending import Report, loaded, notify
from tidings.spine.channels.apprise_urls import AppriseUrl, checked_apprise_urls
from tidings.spine.channels.confined import run_confined
from tidings.spine.channels.network import Network
from tidings.spine.channels.port import Blame, Channel, Deferred, Message, Outcome, Rejected, Sent, Unknown
from tidings.spine.channels.registry import Config, Outside, ProviderType
from tidings.spine.channels.relay import Relay

_THREADS = 8
_NTFY = "ntfy.sh"  # where a URL of ntfy goes that names a topic and no host
_NEVER = frozenset({400, 401, 403, 404, 405, 410, 413, 422})
_GONE = 410


class AppriseConfig(Config):
    """Nothing: all that is needed is in the address."""


@dataclass(frozen=True)
class AppriseAdapter:
    """Threads of its own do the sending: at most so many at once, and what waits for one waits within its deadline."""

    network: Network
    deadline: timedelta
    threads: ThreadPoolExecutor

    async def send(self, message: Message) -> Outcome:
        urls = checked_apprise_urls(message.to, self.network)
        if isinstance(urls, Rejected):
            return urls
        await asyncio.to_thread(loaded)  # once; it is not the message's time that this takes
        found = await asyncio.gather(*(self._send(url, message) for url in urls))
        return together([(url.scheme, each) for url, each in zip(urls, found, strict=True)])

    async def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)

    async def _send(self, url: AppriseUrl, message: Message) -> Outcome:
        relay = self._relay(url)
        seconds = self.deadline.total_seconds()
        try:
            async with asyncio.timeout(seconds):
                report = await run_confined(self.threads, relay, seconds, lambda: notify(url, message, seconds))
            return outcome(report, relay)
        except TimeoutError:
            return _unfinished("no answer in time", relay)
        finally:
            await relay.close()

    def _relay(self, url: AppriseUrl) -> Relay:
        """A server's URL leads to that server alone: not to a proxy of the environment, which might lead anywhere."""
        settings = self.network.settings
        if url.kind is Kind.MAIL:
            return Relay(self.network, settings.mail_ports)
        return Relay(self.network, settings.ports, frozenset({url.host, _NTFY}) if url.host else None)


def outcome(report: Report | None, relay: Relay) -> Outcome:
    """What came of one URL: by what Apprise reports, and what was carried."""
    if report is None:
        return Rejected("Apprise cannot read this URL")
    if report.delivered:
        return Sent()
    if relay.refused is not None:
        return blaming_the_address(relay.refused)
    if report.status in _NEVER:
        return Rejected(f"answered {report.status}", gone=report.status == _GONE)
    if report.status is not None:
        return Deferred(f"answered {report.status}", blame=Blame.ADDRESS)
    if report.not_connected:
        return Deferred("no connection", blame=Blame.ADDRESS)
    return _unfinished("failed", relay)


def _unfinished(reason: str, relay: Relay) -> Outcome:
    return (Unknown if relay.may_have_sent else Deferred)(reason, blame=Blame.ADDRESS)


def together(found: Sequence[tuple[str, Outcome]]) -> Outcome:
    """One outcome out of several. One success is enough; what may be tried again is; else it is rejected."""
    if len(found) == 1:
        return found[0][1]
    outcomes = [each for _, each in found]
    words = "; ".join(f"{scheme}: {'sent' if isinstance(each, Sent) else each.reason}" for scheme, each in found)
    if any(isinstance(each, Sent) for each in outcomes):
        return Sent(detail=words)
    if any(isinstance(each, Unknown) for each in outcomes):
        return Unknown(words, Blame.ADDRESS)
    if any(isinstance(each, Deferred) for each in outcomes):
        return Deferred(words, blame=Blame.ADDRESS)
    return Rejected(words, gone=all(isinstance(each, Rejected) and each.gone for each in outcomes))


def _build(_: AppriseConfig, outside: Outside) -> AppriseAdapter:
    threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="apprise")
    return AppriseAdapter(outside.network, outside.deadline, threads)


PROVIDER = ProviderType("apprise", frozenset({Channel.APPRISE}), AppriseConfig, _build, safe_to_resend=False)
