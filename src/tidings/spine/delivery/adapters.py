"""The adapters of a worker: one for each provider that it sends through, built when first used."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from tidings.kit.crypto import Vault
from tidings.kit.db import Pool
from tidings.kit.errors import TidingsError
from tidings.spine.channels.port import Adapter, Blame, Deferred, Message, Outcome, Rejected
from tidings.spine.channels.providers import PROVIDERS
from tidings.spine.channels.registry import Outside
from tidings.spine.delivery.discretion import Discreet, secrets_of
from tidings.spine.delivery.table import Delivery

_RETIRED_FOR = 60.0  # seconds for what is under way when a provider is changed


class UnknownType(Exception):
    """A provider of a type that this worker does not know: a newer one does."""


@dataclass(frozen=True)
class NoProvider:
    """For a channel that nobody has set a provider for."""

    async def send(self, message: Message) -> Outcome:
        return Rejected(f"no provider is set for {message.channel}")

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Broken:
    """For a provider whose configuration cannot be read: it waits for somebody to mend it."""

    reason: str

    async def send(self, message: Message) -> Outcome:
        return Deferred(self.reason, blame=Blame.PROVIDER)

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Way:
    """A way out. `room` is for as many as it takes at a time, where more would only wait for each other in there."""

    adapter: Adapter
    room: asyncio.Semaphore | None = None


@dataclass
class Adapters:
    """`own` are the types that are built into Tidings and need no configuration, by tenant."""

    pool: Pool
    vault: Vault  # of providers
    outside: Outside
    own: Mapping[str, Callable[[str], Adapter]]
    built: dict[UUID, tuple[int, asyncio.Task[Way]]] = field(default_factory=dict)
    retiring: set[asyncio.Task[None]] = field(default_factory=set)

    async def of(self, delivery: Delivery) -> Way:
        """By the adapter of the provider in its present version; one of an earlier version is closed in a while."""
        version, building = self.built.get(delivery.provider, (0, None))
        if building is None or version != delivery.provider_version:
            if building is not None:
                self._retire(building)
            building = asyncio.create_task(self._build(delivery))
            self.built[delivery.provider] = (delivery.provider_version, building)
        return await asyncio.shield(building)

    async def _build(self, delivery: Delivery) -> Way:
        if (own := self.own.get(delivery.provider_type)) is not None:
            return Way(own(delivery.tenant))
        try:
            config: bytes | None = await self.pool.fetchval(
                "SELECT config FROM tidings.providers WHERE id = $1", delivery.provider
            )
            return self._configured(delivery, config)
        except BaseException:
            self.built.pop(delivery.provider, None)  # the next delivery tries again
            raise

    def _configured(self, delivery: Delivery, config: bytes | None) -> Way:
        provider = PROVIDERS.get(delivery.provider_type)
        if provider is None:
            raise UnknownType(f"there is no provider type {delivery.provider_type!r} here")
        text = b"{}" if config is None else self.vault.open(config, delivery.tenant)
        try:
            given = provider.config.model_validate_json(text)
            room = None if provider.lines is None else asyncio.Semaphore(provider.lines(given))
            return Way(Discreet(provider.build(given, self.outside), secrets_of(given)), room)
        except (TidingsError, ValueError) as error:
            return Way(Broken(f"the configuration of the provider cannot be used ({type(error).__name__})"))

    def _retire(self, building: asyncio.Task[Way]) -> None:
        task = asyncio.create_task(_close_later(building))
        self.retiring.add(task)
        task.add_done_callback(self.retiring.discard)

    async def close(self) -> None:
        for task in self.retiring:
            task.cancel()
        builds = [building for _, building in self.built.values()]
        for way in await asyncio.gather(*builds, return_exceptions=True):
            if not isinstance(way, BaseException):
                await way.adapter.close()


async def _close_later(building: asyncio.Task[Way]) -> None:
    adapter = (await building).adapter
    try:
        await asyncio.sleep(_RETIRED_FOR)
    finally:
        await adapter.close()
