"""What /metrics says about the outbox. Asked at most every few seconds, however many scrape."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from tidings.kit import db

log = structlog.get_logger("tidings.api")

_FRESH = 5.0
_TIMEOUT = "2s"


class OutboxCollector(Collector):
    """Reads depth, lag and hands from the database, and keeps them for a while. An estimate where there is much."""

    def __init__(self, pool: db.Pool, registry: CollectorRegistry) -> None:
        self._pool = pool
        self._registry = registry
        self._turn = asyncio.Lock()
        self._depth: list[Any] = []
        self._hands: Any = None
        self._up = False
        self._read_at = -_FRESH
        registry.register(self)

    async def exposition(self) -> bytes:
        async with self._turn:
            if time.monotonic() - self._read_at > _FRESH:
                await self._read()
                self._read_at = time.monotonic()
        return generate_latest(self._registry)

    async def _read(self) -> None:
        try:
            async with db.acquired(self._pool, 1.0) as connection, connection.transaction(readonly=True):
                await connection.execute(f"SET LOCAL statement_timeout = '{_TIMEOUT}'")
                self._depth = await connection.fetch("SELECT *, now() AS now FROM tidings.outbox_depth()")
                self._hands = await connection.fetchrow("SELECT * FROM tidings.outbox_hands()")
            self._up = True
        except db.FAILING as error:
            self._depth, self._hands, self._up = [], None, False
            log.warning("outbox could not be measured", error=repr(error))

    def describe(self) -> Iterable[Any]:
        return ()

    def collect(self) -> Iterable[Any]:
        yield GaugeMetricFamily("tidings_database_up", "Whether the outbox could be read", value=float(self._up))
        yield from self._collected_depth()
        if self._hands is not None:
            for name, text in (("leases", "Leases held"), ("leased", "Intents leased"), ("workers", "Live workers")):
                yield GaugeMetricFamily(f"tidings_outbox_{name}", text, value=self._hands[name])

    def _collected_depth(self) -> Iterable[Any]:
        depth = GaugeMetricFamily("tidings_outbox_depth", "Open and dead intents", labels=["kind", "status"])
        lag = GaugeMetricFamily("tidings_outbox_lag_seconds", "Age of the oldest due intent", labels=["kind"])
        oldest: dict[str, float] = {}
        for row in self._depth:
            depth.add_metric([row["kind"], row["status"]], row["amount"])
            waited = (row["now"] - row["oldest_due"]).total_seconds() if row["oldest_due"] else 0.0
            oldest[row["kind"]] = max(waited, oldest.get(row["kind"], 0.0))
        for kind, seconds in oldest.items():
            lag.add_metric([kind], seconds)
        yield from (depth, lag)
