"""A tenant at a glance: figures, standing, providers with their health, what failed last, and what was never done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.delivery.overview.figures import Minute, minutes_of
from tidings.spine.delivery.overview.planning import by_index
from tidings.spine.delivery.overview.standing import Standing, standing_of
from tidings.spine.delivery.overview.statements import BEGUN, COUNTED, FAILURES, HEALTH
from tidings.spine.delivery.providers import Circuit


@dataclass(frozen=True)
class Health:
    """A provider, whether it is sent through, and what it made of the last hour."""

    id: UUID
    channel: str
    type: str
    name: str
    built_in: bool
    enabled: bool
    circuit: Circuit
    open_until: datetime | None
    last_error: str | None
    last_error_at: datetime | None
    sent: int
    failed: int


@dataclass(frozen=True)
class Failure:
    """Something that was given up: a delivery that failed, or an intent that is dead."""

    what: Literal["delivery", "intent"]
    id: UUID
    name: str  # the channel of a delivery, the kind of an intent
    at: datetime
    why: str | None
    fact_id: UUID | None
    notice_id: UUID | None


@dataclass(frozen=True)
class Begun:
    """Whether there is any of what one does first."""

    fact: bool
    rule: bool
    person: bool
    sandbox_message: bool


@dataclass(frozen=True)
class Overview:
    standing: Standing
    minutes: Sequence[Minute]
    counted_until: datetime | None
    providers: Sequence[Health]
    failures: Sequence[Failure]
    begun: Begun

    def without_errors_of(self, *, providers: bool, deliveries: bool) -> Overview:
        """For those who may not read them where they are shown: what providers answer may name whom it was for."""
        health = [replace(each, last_error=None) if providers else each for each in self.providers]
        told = [replace(each, why=None) if deliveries and each.what == "delivery" else each for each in self.failures]
        return replace(self, providers=health, failures=told)


async def overview_of(connection: Connection, tenant: str, minutes: int) -> Overview:
    """Bounded work, whatever the size of the tables."""
    async with by_index(connection):
        return await _overview(connection, tenant, minutes)


async def _overview(connection: Connection, tenant: str, minutes: int) -> Overview:
    begun = await connection.fetchrow(BEGUN, tenant)
    assert begun is not None
    return Overview(
        await standing_of(connection, tenant),
        await minutes_of(connection, tenant, minutes),
        await connection.fetchval(COUNTED),
        [Health(**row) for row in await connection.fetch(HEALTH, tenant)],
        [Failure(**row) for row in await connection.fetch(FAILURES, tenant)],
        Begun(**begun),
    )
