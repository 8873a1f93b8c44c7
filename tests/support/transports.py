"""Doing what is due: the relay calls listeners and senders itself, or RabbitMQ tells them. The same comes of both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Protocol

from tests.broker.stage import until, with_broker, working, working_settings
from tests.support.pipeline import Owner
from tidings.kit.settings import Settings
from tidings.testing import adrain

_BRING_FORWARD = """
UPDATE {table} SET run_at = now(), updated_at = now()
WHERE status IN ('pending', 'failed') AND run_at > now() AND run_at <= now() + $1
"""
# What a handler of its type would do, nobody does here. What is pending and due within moments is waited for: it was
# given back. What failed has its time to wait.
_IS_ANYTHING_DUE = """
SELECT EXISTS (
    SELECT FROM (
        SELECT kind, status, run_at FROM tidings.outbox WHERE id IS DISTINCT FROM fact_id
        UNION ALL SELECT channel, status, run_at FROM tidings.deliveries) o
    WHERE kind NOT LIKE 'tidings.%' AND (status IN ('processing', 'enqueued')
        OR status = 'pending' AND run_at <= now() + interval '10 seconds' OR status = 'failed' AND run_at <= now()))
"""


class Work(Protocol):
    """Does everything that a worker would do now, and what that causes; with `ahead`, what falls due within that time,
    too. What falls due later stays."""

    async def __call__(self, *, ahead: timedelta | None = None) -> None: ...

    def by(self, settings: Settings) -> Work:
        """The same with other settings."""
        ...

    @property
    def worker(self) -> Settings:
        """Of a worker that works in this way, for as long as it runs."""
        ...


@dataclass(frozen=True)
class ByTheRelay:
    settings: Settings

    async def __call__(self, *, ahead: timedelta | None = None) -> None:
        await adrain(self.settings, ahead=ahead, sandbox=False)

    def by(self, settings: Settings) -> Work:
        return replace(self, settings=settings)

    @property
    def worker(self) -> Settings:
        return working_settings(self.settings)


@dataclass(frozen=True)
class ThroughRabbitMQ:
    """A worker for each time, with a patience that nothing passes by: what is not told by a message is not done."""

    settings: Settings
    url: str
    owner: Owner

    async def __call__(self, *, ahead: timedelta | None = None) -> None:
        if ahead is not None:
            for table in ("tidings.outbox", "tidings.deliveries"):
                await self.owner.execute(_BRING_FORWARD.format(table=table), ahead)
        async with working(self.owner, self.worker):
            await until(self._nothing_is_due)

    def by(self, settings: Settings) -> Work:
        return replace(self, settings=settings)

    @property
    def worker(self) -> Settings:
        return with_broker(self.settings, self.url)

    async def _nothing_is_due(self) -> bool:
        return not await self.owner.fetchval(_IS_ANYTHING_DUE)
