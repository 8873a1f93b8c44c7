"""From a request that says it is a provider's to what it changes.

A receipt may come before our own settling has committed. Then it is waited for, shortly and without holding a
connection; after that the provider is asked to send it again. Nothing is kept for later: a receipt that nobody asked
for would have to be kept as well, and settling, which is the hot path, would have to look for it every time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any
from uuid import UUID

from tidings.kit import db
from tidings.kit.crypto import Unsealable, Vault
from tidings.kit.db import Pool
from tidings.kit.errors import NotFound, Unavailable
from tidings.spine.channels.meta import MetaConfig
from tidings.spine.channels.providers import PROVIDERS
from tidings.spine.channels.registry import Config
from tidings.spine.delivery.receipts import meta, resend, twilio
from tidings.spine.delivery.receipts.applying import Application
from tidings.spine.delivery.receipts.events import Event, strongest
from tidings.spine.delivery.receipts.verifying import Posted

_PAUSES = (0.05, 0.2, 0.75)  # seconds
_AGAIN_AFTER = 5  # seconds
_NEW_FOR = timedelta(minutes=10)  # what happened earlier than this has been settled long ago, or is not ours


@dataclass(frozen=True)
class Teller:
    """How one type of provider tells. `names_delivery`: it gives our own id back, so that what has none is not ours."""

    is_genuine: Callable[[Any, Posted, datetime], bool]
    events_of: Callable[[Posted], list[Event]]
    names_delivery: bool = False


TELLERS: Mapping[str, Teller] = MappingProxyType(
    {
        "resend": Teller(resend.is_genuine, resend.events_of, names_delivery=True),
        "twilio": Teller(twilio.is_genuine, twilio.events_of),
        "meta": Teller(meta.is_genuine, meta.events_of),
    }
)


@dataclass(frozen=True)
class _Known:
    """A provider that can be verified."""

    id: UUID
    tenant: str
    config: Config
    teller: Teller


@dataclass(frozen=True)
class Receipts:
    pool: Pool
    patience: float
    vault: Vault  # of providers
    now: Callable[[], datetime]

    async def receive(self, provider: UUID, posted: Posted) -> str:
        """Applies what was told, and says whose it is. `NotFound` for a provider that is not there and for a request
        that is not its own: the same to whoever asks. `Unavailable` for what came too early."""
        known = await self._known(provider)
        if known is None or not known.teller.is_genuine(known.config, posted, self.now()):
            raise NotFound("There is nothing at this address.")
        events: Sequence[Event] = strongest(known.teller.events_of(posted))
        for pause in (*_PAUSES, None):
            events = await self._early(known, events)
            if not events:
                return known.tenant
            if pause is not None:
                await asyncio.sleep(pause)
        raise Unavailable("This is of a message that is still being sent; tell it again.", retry_after=_AGAIN_AFTER)

    async def answer_to(self, provider: UUID, mode: str, token: str, challenge: str) -> str:
        """What Meta wants to hear from the address that it is to tell things; `NotFound` for everybody else."""
        known = await self._known(provider)
        if known is not None and isinstance(known.config, MetaConfig):
            answer = meta.answer_to(known.config, mode, token, challenge)
            if answer is not None:
                return answer
        raise NotFound("There is nothing at this address.")

    async def _early(self, known: _Known, events: Sequence[Event]) -> list[Event]:
        """Applies events; gives back those whose delivery may be about to settle."""
        if not events:
            return []
        async with db.acquired(self.pool, self.patience) as connection, db.as_tenant(connection, known.tenant):
            application = Application(connection, known.tenant, known.id)
            unknown = await application.apply(events)
            early = [event for event in unknown if self._may_be_early(known.teller, event)]
            # Of a thousand messages of which nobody says whose they are, the question is the same.
            sent = {delivery: await application.is_being_sent(delivery) for delivery in {e.delivery for e in early}}
            return [event for event in early if sent[event.delivery]]

    def _may_be_early(self, teller: Teller, event: Event) -> bool:
        if teller.names_delivery and event.delivery is None:
            return False
        return event.at is None or self.now() - event.at < _NEW_FOR

    async def _known(self, provider: UUID) -> _Known | None:
        row = await self.pool.fetchrow("SELECT tenant, type, config FROM tidings.receiving_provider($1)", provider)
        if row is None or row["config"] is None or row["type"] not in TELLERS:
            return None
        try:
            text = self.vault.open(row["config"], row["tenant"])
            config = PROVIDERS[row["type"]].config.model_validate_json(text)
        except (Unsealable, ValueError):
            return None
        return _Known(provider, row["tenant"], config, TELLERS[row["type"]])
