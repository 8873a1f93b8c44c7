"""The only place where parts are wired."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from tidings.kit.db import Pool
from tidings.kit.settings import Settings
from tidings.spine.outbox.handlers import Handlers
from tidings.spine.outbox.lanes import Lanes
from tidings.spine.outbox.leases import Leases
from tidings.spine.outbox.leasing import OUTBOX
from tidings.spine.outbox.relay import Relay
from tidings.spine.outbox.waking import Sleeper


def build_leases(settings: Settings, pool: Pool, worker: UUID) -> Leases:
    return Leases(pool, OUTBOX, worker, settings.outbox.lease, settings.outbox.dedup_window)


def build_relay(
    settings: Settings, pool: Pool, handlers: Handlers, worker: UUID, name: str, on_suspects: Callable[[], None]
) -> Relay:
    return Relay(
        settings=settings.outbox,
        pool=pool,
        leases=build_leases(settings, pool, worker),
        lanes=Lanes(pool, OUTBOX),
        handlers=handlers,
        sleeper=Sleeper(settings.database),
        on_suspects=on_suspects,
        name=name,
    )
