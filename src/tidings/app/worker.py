"""The parts of a worker, wired."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

import structlog

from tidings.kit.db import Pool, Role, open_pool
from tidings.kit.settings import Settings
from tidings.spine.notify.listeners import Listener
from tidings.spine.outbox.handlers import Handlers, Kind, Shape
from tidings.spine.outbox.leases import Leases, Look, whole
from tidings.spine.outbox.leasing import OUTBOX
from tidings.spine.outbox.relay import Relay, Source
from tidings.spine.outbox.waking import Sleeper

if TYPE_CHECKING:  # a worker that only loads its handlers does not pay for what sends
    from tidings.spine.delivery.table import Delivery
    from tidings.spine.notify.unsubscribing import Links
    from tidings.spine.processes.running import ProcessRunner

log = structlog.get_logger("tidings.worker")


@dataclass(frozen=True)
class Pools:
    """A worker's connections. What handlers hold on to cannot keep the engine from leasing, renewing and settling."""

    engine: Pool  # a statement that takes longer than a lease is of no use to it
    lending: Pool  # enough for every run of a handler that writes in our transaction


async def open_pools(settings: Settings, handlers: Handlers, name: str) -> Pools:
    lent = sum(kind.runs(settings.outbox) for kind in handlers if kind.shape is Shape.TRANSACTION)
    return Pools(
        await open_pool(settings.database, Role.WORKER, name=name, longest=settings.outbox.lease),
        await open_pool(settings.database, Role.WORKER, name=f"{name}'s handlers", size=max(lent, 1)),
    )


def build_leases(settings: Settings, pool: Pool, worker: UUID, look: Look = whole) -> Leases:
    return Leases(pool, OUTBOX, worker, settings.outbox.lease, settings.outbox.dedup_window, look=look)


def build_outbox(settings: Settings, pool: Pool, worker: UUID, handlers: Handlers, look: Look = whole) -> Source:
    return Source(build_leases(settings, pool, worker, look), handlers)


def build_relay(
    settings: Settings,
    pools: Pools,
    sources: Sequence[Source],
    name: str,
    on_suspects: Callable[[], None],
) -> Relay:
    return Relay(
        settings=settings.outbox,
        pool=pools.engine,
        sources=sources,
        sleeper=Sleeper(settings.database),
        on_suspects=on_suspects,
        name=name,
        lending=pools.lending,
    )


def build_notify(settings: Settings, listeners: Sequence[Listener]) -> list[Kind]:
    """What turns facts into deliveries, and what moves those between providers; the modules' with it."""
    from tidings.app.modules import module_kinds
    from tidings.spine.delivery import failing_over
    from tidings.spine.notify.fanning import FanOut
    from tidings.spine.notify.hearing import Hearing
    from tidings.spine.notify.issuing import Issuing
    from tidings.spine.notify.matters.escalating import Escalating
    from tidings.spine.notify.preparing import Preparer
    from tidings.spine.notify.templates.rendering import Renderer

    hearing = Hearing(all_listeners(settings, listeners), Renderer())
    issuing = Issuing(FanOut(default_providers(settings)))
    kinds = [*Preparer(hearing, issuing).kinds(), Escalating(issuing).kind()]
    return [*kinds, *failing_over.kinds(), *module_kinds()]


def all_listeners(settings: Settings, listeners: Sequence[Listener]) -> tuple[Listener, ...]:
    """Users' own, and ours."""
    from tidings.app.modules import module_listeners
    from tidings.spine.notify.matters.following_up import FOLLOW_UP

    return (*listeners, FOLLOW_UP, *module_listeners(settings))


def default_providers(settings: Settings) -> dict[str, str]:
    """What each channel sends through where its tenant set nothing. Some need no account: the address says it all."""
    from tidings.spine.channels.port import Channel

    fallback = settings.delivery.default_provider
    alone = {Channel.WEBHOOK, Channel.SLACK, Channel.APPRISE} if fallback == "none" else set()
    defaults = {channel.value: channel.value if channel in alone else fallback for channel in Channel}
    return defaults | {Channel.WEBSOCKET.value: "websocket"}


@dataclass(frozen=True)
class Processing:
    """What a worker does for processes: the intents that start and signal them, and running them."""

    kinds: Sequence[Kind] = ()
    runner: ProcessRunner | None = None
    begin: Callable[[Pool], Awaitable[None]] | None = None

    async def see_to_it(self, pool: Pool) -> None:
        """That what recurs goes on."""
        if self.begin is not None:
            await self.begin(pool)

    async def run(self, stop: asyncio.Event, within: timedelta) -> None:
        if self.runner is not None:
            await self.runner.run(stop, within)


@asynccontextmanager
async def processing(settings: Settings, name: str) -> AsyncIterator[Processing]:
    """For as long as it is open. Where no Temporal is set, what is meant for processes waits for another worker."""
    if not settings.temporal.address:
        log.info("no address of Temporal is set: processes wait")
        yield Processing()
        return
    from tidings.app.organizations import open_bootstraps
    from tidings.kit.crypto import open_keyring
    from tidings.modules.events.process.activities import EventActivities
    from tidings.modules.events.process.workflow import EventWorkflow
    from tidings.modules.organizations.process.workflow import OrganizationBootstrapWorkflow
    from tidings.spine.access.data_keys import staying_unlocked
    from tidings.spine.access.purposes import PROCESSES
    from tidings.spine.processes.connecting import Temporal
    from tidings.spine.processes.running import Performing, ProcessRunner
    from tidings.spine.processes.signalling import Signalling
    from tidings.spine.processes.starting import Starting

    keyring = open_keyring(settings)
    temporal = Temporal(settings.temporal, keyring.vault(PROCESSES))
    pool = await open_pool(settings.database, Role.WORKER, name=f"{name}'s processes", longest=settings.outbox.lease)
    parts = pool, temporal, lambda: datetime.now(UTC)
    bootstraps = open_bootstraps(settings, pool, keyring, temporal)
    performing = Performing(
        [EventWorkflow, OrganizationBootstrapWorkflow],
        [*EventActivities(pool).all(), *bootstraps.activities.all()],
    )
    try:
        async with staying_unlocked(keyring, pool):
            kinds = [Starting(*parts).kind(), Signalling(*parts).kind(), *bootstraps.kinds()]
            yield Processing(kinds, ProcessRunner(temporal, keyring, performing), bootstraps.begin)
    finally:
        await bootstraps.close()
        pool.terminate()


@asynccontextmanager
async def deliveries(
    settings: Settings, pool: Pool, worker: UUID, look: Look = whole, *, sandboxed: bool = False
) -> AsyncIterator[Source]:
    """What sends deliveries, for as long as it is open. `sandboxed`: nothing leaves, whatever providers are set."""
    from tidings.app.modules import module_files, module_links
    from tidings.app.public import public_url
    from tidings.kit.crypto import open_keyring
    from tidings.spine.access.data_keys import staying_unlocked
    from tidings.spine.access.purposes import ADDRESSES, KEPT_MESSAGES, PROVIDERS
    from tidings.spine.channels.http import HttpClient
    from tidings.spine.channels.network import open_network
    from tidings.spine.channels.port import Adapter
    from tidings.spine.channels.providers import PROVIDERS as ALL_PROVIDERS
    from tidings.spine.channels.registry import Outside
    from tidings.spine.delivery.adapters import Adapters, NoProvider
    from tidings.spine.delivery.buttons import ActionButtons
    from tidings.spine.delivery.composing import Composer
    from tidings.spine.delivery.gone import Addresses
    from tidings.spine.delivery.handing_over import HandingOver
    from tidings.spine.delivery.leases import DeliveryLeases
    from tidings.spine.delivery.sandbox import Sandbox
    from tidings.spine.delivery.sending import Sender
    from tidings.spine.delivery.table import DELIVERIES
    from tidings.spine.delivery.websocket import Announcer
    from tidings.spine.notify.matters.links import open_action_links
    from tidings.spine.notify.templates.rendering import Renderer
    from tidings.spine.notify.unsubscribing import open_links

    keyring, limits = open_keyring(settings), settings.delivery
    network = open_network(settings.network)
    http = HttpClient(network, limits.deadline, limits.max_answer, limits.connections)
    outside = Outside(http, network, limits.deadline, lambda: datetime.now(UTC))
    sandbox = Sandbox(pool, keyring.vault(KEPT_MESSAGES))
    own: dict[str, Callable[[str], Adapter]] = {
        "sandbox": sandbox.of,
        "websocket": Announcer(pool).of,
        "none": lambda tenant: NoProvider(),
    }
    if sandboxed:
        own = dict.fromkeys((*own, *ALL_PROVIDERS), sandbox.of)
    adapters = Adapters(pool, keyring.vault(PROVIDERS), outside, own)
    links = open_links(keyring, public_url(settings))
    composer = Composer(
        pool,
        keyring.vault(ADDRESSES),
        Renderer(),
        _unsubscribe_url(links),
        module_links(settings, keyring),
        module_files(keyring, pool),
        ActionButtons(open_action_links(keyring, public_url(settings))).of,
    )
    sender = Sender(limits, composer, adapters, Addresses(pool), HandingOver(pool, limits.deadline))
    windows = settings.outbox.lease, settings.outbox.dedup_window
    leases = DeliveryLeases(pool, DELIVERIES, worker, *windows, limits, look=look)
    try:
        async with staying_unlocked(keyring, pool):
            yield Source(leases, Handlers().including(sender.kinds()))
    finally:
        await adapters.close()
        await http.close()


def _unsubscribe_url(links: Links) -> Callable[[Delivery], str | None]:
    """For mails whose category may be turned off; no other channel has a place for it."""
    from tidings.spine.channels.port import Channel
    from tidings.spine.notify.unsubscribing import Link

    def of(delivery: Delivery) -> str | None:
        if delivery.channel is not Channel.EMAIL or delivery.required:
            return None
        return links.url(Link(delivery.tenant, delivery.person_id, delivery.category))

    return of
