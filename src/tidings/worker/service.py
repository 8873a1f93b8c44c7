"""A worker process: any number of them, sharing nothing but PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Sequence
from uuid import UUID, uuid4

import structlog
from prometheus_client import start_http_server

from tidings.app.broker import Brokering, brokering
from tidings.app.reports import reporting
from tidings.app.worker import (
    Processing,
    build_leases,
    build_notify,
    build_outbox,
    build_relay,
    deliveries,
    open_pools,
    processing,
)
from tidings.kit import db, telemetry
from tidings.kit.errors import Misconfigured
from tidings.kit.settings import Settings, WorkerSettings
from tidings.migrations import current_revision, newest_revision
from tidings.spine.access.data_keys import unlocked
from tidings.spine.notify.preparing import declare
from tidings.spine.outbox.faults import PASSING
from tidings.spine.outbox.handlers import Handlers, Kind
from tidings.worker.counting import begin_counting, counting
from tidings.worker.loading import Declared, load
from tidings.worker.maintenance import begin_maintenance, maintenance
from tidings.worker.quarantine import Cell, Quarantine, exit_when_blocked, stop_with_parent

log = structlog.get_logger("tidings.worker")

_LAST_WORDS = 0.5  # seconds for what is good to do on leaving, and not necessary
_HOUSEKEEPING = 60.0  # seconds until it is looked after again


async def run_worker(settings: Settings, stop: asyncio.Event) -> None:
    """Handles what is due until `stop` is set, then finishes or gives back what it holds."""
    telemetry.configure(settings.telemetry, "worker")
    declared = load(settings.worker.load)
    async with (
        processing(settings, "worker") as processes,
        brokering(settings, declared.listeners, "worker") as broker,
        reporting(settings, "worker") as reports,
    ):
        handlers = _all_handlers(settings, declared, processes, broker, reports)
        await _run(settings, stop, declared, processes, broker, handlers)


async def _run(
    settings: Settings,
    stop: asyncio.Event,
    declared: Declared,
    processes: Processing,
    broker: Brokering,
    handlers: Handlers,
) -> None:
    pools = await open_pools(settings, handlers, "worker")
    pool = pools.engine
    worker = uuid4()
    stop_within = settings.worker.stop_within
    quarantine = Quarantine(build_leases(settings, pool, worker), settings.worker.load, stop_within * 0.8)
    name = f"{socket.gethostname()}:{os.getpid()}"
    beginning = asyncio.create_task(_begin(pool, declared, processes, broker))
    try:
        await require_migrated(pool)
        await require_its_key(settings, pool)
        async with deliveries(settings, pool, worker, broker.deliveries) as sending:
            sources = [build_outbox(settings, pool, worker, handlers, broker.intents), broker.handed_out(sending)]
            relay = build_relay(settings, pools, sources, name, quarantine.ensure)
            _serve_metrics(settings.worker)
            log.info("worker started", worker=str(worker), kinds=sorted(handlers.kinds))
            performing = processes.run(stop, stop_within * 0.8)
            carrying = broker.run(relay.pumps, stop)
            await asyncio.gather(relay.run(stop, stop_within), _close_on(stop, quarantine), performing, carrying)
    finally:
        beginning.cancel()
        await quarantine.close()
        await asyncio.gather(_close_pool(pools.engine), _close_pool(pools.lending))
    log.info("worker stopped", worker=str(worker))


async def run_quarantine(settings: Settings, worker: UUID, stop: asyncio.Event) -> None:
    """Runs suspects one by one, alone, and returns when there are none."""
    stop_with_parent(stop)
    declared = load(settings.worker.load)
    async with (
        processing(settings, "quarantine") as processes,
        brokering(settings, declared.listeners, "quarantine") as broker,
        reporting(settings, "quarantine") as reports,
    ):
        await _run_suspects(settings, worker, stop, _all_handlers(settings, declared, processes, broker, reports))


async def _run_suspects(settings: Settings, worker: UUID, stop: asyncio.Event, handlers: Handlers) -> None:
    pools = await open_pools(settings, handlers, "quarantine")
    try:
        async with deliveries(settings, pools.engine, worker) as sending:
            sources = [build_outbox(settings, pools.engine, worker, handlers), sending]
            within = settings.worker.stop_within * 0.8
            cell = Cell(sources, settings.outbox, stop, within, pools.lending)
            # Not before: a machine that is busy may take longer than a lease to load all this.
            guard = asyncio.create_task(exit_when_blocked(settings.outbox.lease))
            try:
                await cell.run()
            finally:
                guard.cancel()
    finally:
        await asyncio.gather(_close_pool(pools.engine), _close_pool(pools.lending))


async def _close_on(stop: asyncio.Event, quarantine: Quarantine) -> None:
    """Both end at the same time: the worker's own runs and the one in quarantine."""
    await stop.wait()
    await quarantine.close()


async def _close_pool(pool: db.Pool) -> None:
    """Closing waits for answers of the database; one that is away gives none."""
    try:
        async with asyncio.timeout(_LAST_WORDS):
            await pool.close()
    except TimeoutError:
        pool.terminate()


def _all_handlers(
    settings: Settings, declared: Declared, processes: Processing, broker: Brokering, reports: Sequence[Kind]
) -> Handlers:
    notify = build_notify(settings, declared.listeners)
    ours = [maintenance(settings), counting(), *notify, *processes.kinds, *broker.kinds, *reports]
    return declared.handlers.including(ours)


async def _begin(pool: db.Pool, declared: Declared, processes: Processing, broker: Brokering) -> None:
    """Makes known what this worker serves, once the database is there; nothing waits for it. From then on it sees to it
    that there is housekeeping: if that ever ended, what waits for a provider that stands still would wait for ever, and
    what a bootstrap left behind would be left for ever."""
    known = False
    while True:
        with contextlib.suppress(*PASSING):
            if not known:
                async with pool.acquire() as connection:
                    await declare(connection, declared.handlers.kinds, declared.listeners)
                await broker.declare(pool)
            known = True
            await begin_maintenance(pool)
            await begin_counting(pool)
            await processes.see_to_it(pool)
        await asyncio.sleep(_HOUSEKEEPING if known else 1)


async def require_migrated(pool: db.Pool) -> None:
    """Refuses a database that was never migrated, or not to this version; one that is away is waited for."""
    try:
        async with pool.acquire() as connection:
            revision = await current_revision(connection)
    except db.AWAY as error:
        log.warning("database is away", error=repr(error))
        return
    if revision is None or revision < newest_revision():
        raise Misconfigured(
            f"TIDINGS_DATABASE_URL: its schema is at {revision or 'nothing'}; run `tidings migrate` first"
        )


async def require_its_key(settings: Settings, pool: db.Pool) -> None:
    """Refuses a master key that is not this database's: what waits to be sent stays for a worker that can read it."""
    with contextlib.suppress(*db.AWAY):
        await unlocked(settings, pool)


def _serve_metrics(settings: WorkerSettings) -> None:
    if settings.metrics_port is not None:
        server, _ = start_http_server(settings.metrics_port, settings.metrics_host)
        log.info("metrics", host=settings.metrics_host, port=server.server_port)
