"""All scenarios, in the order in which they run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from tests.chaos.clocks import LIBRARIES, MISSING
from tests.chaos.cluster import Cluster, running_cluster
from tests.chaos.report import Counts, Parts
from tests.chaos.scenarios import (
    broadcast,
    delivery_herd,
    event_broadcast,
    event_processes,
    frozen_worker,
    hanging,
    herd,
    joining_burst,
    killed_api,
    killed_postgres,
    killed_workers,
    lost_listening,
    messages,
    moved_events,
    organizations,
    organizations_at_once,
    providers,
    reservation_deaths,
    reservation_hints,
    reservation_service,
    reservations,
    slots,
    smtp,
    stopped_broker,
    stopped_worker,
    unwell_postgres,
    wrong_clock,
)
from tests.chaos.world import World, new_world
from tests.support import rabbitmq


@dataclass(frozen=True)
class Scenario:
    key: str
    name: str
    run: Callable[[World, Any], Awaitable[Counts | Parts]]
    full: Any
    short: Any
    cluster: Mapping[str, str] | None  # settings of a PostgreSQL of its own, where it needs one
    missing: str | None  # what is not installed here and is needed
    only_at_length: bool  # no part of it is short enough for `make test`

    async def play(self, shared: Cluster, size: Any, seed: int) -> Counts | Parts:
        """Runs it in a world of its own, of which nothing is left afterwards."""
        if self.cluster is None:
            async with new_world(shared, seed) as world:
                return await self.run(world, size)
        async with running_cluster(**self.cluster) as own, new_world(own, seed) as world:
            return await self.run(world, size)


def _scenario(module: ModuleType, missing: str | None = None) -> Scenario:
    key = module.__name__.rpartition(".")[2]
    cluster = getattr(module, "CLUSTER", None)
    only_at_length = getattr(module, "ONLY_AT_LENGTH", False)
    return Scenario(key, module.NAME, module.run, module.FULL, module.SHORT, cluster, missing, only_at_length)


SCENARIOS = (
    _scenario(frozen_worker),
    _scenario(stopped_worker),
    _scenario(killed_api),
    _scenario(killed_postgres),
    _scenario(unwell_postgres),
    _scenario(lost_listening),
    _scenario(stopped_broker, None if rabbitmq.is_installed() else rabbitmq.MISSING),
    _scenario(wrong_clock, None if LIBRARIES else MISSING),
    _scenario(messages),
    _scenario(herd),
    _scenario(providers),
    _scenario(smtp),
    _scenario(hanging),
    _scenario(delivery_herd),
    _scenario(broadcast),
    _scenario(moved_events),
    _scenario(event_processes),
    _scenario(event_broadcast),
    _scenario(joining_burst),
    _scenario(reservation_service),
    _scenario(reservation_deaths),
    _scenario(reservation_hints, None if rabbitmq.is_installed() else rabbitmq.MISSING),
    _scenario(reservations),
    _scenario(organizations),
    _scenario(organizations_at_once),
    _scenario(slots),
    _scenario(killed_workers),
)
