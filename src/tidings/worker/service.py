"""A worker process: any number of them, sharing nothing but PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import socket
from uuid import UUID, uuid4

import structlog

from tidings.app import build_leases, build_relay
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.outbox.handlers import Handlers
from tidings.worker.loading import load_handlers
from tidings.worker.maintenance import begin_maintenance, maintenance
from tidings.worker.quarantine import Quarantine, run_suspects

log = structlog.get_logger("tidings.worker")


async def run_worker(settings: Settings, stop: asyncio.Event) -> None:
    """Handles what is due until `stop` is set, then finishes or gives back what it holds."""
    handlers = load_handlers(settings.worker.load).including([maintenance(settings)])
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="worker")
    worker = uuid4()
    quarantine = Quarantine(build_leases(settings, pool, worker), settings.worker.load)
    name = f"{socket.gethostname()}:{os.getpid()}"
    relay = build_relay(settings, pool, handlers, worker, name, quarantine.ensure)
    log.info("worker started", worker=str(worker), kinds=sorted(handlers.kinds))
    try:
        await _begin_maintenance(pool)
        await relay.run(stop, settings.worker.stop_within)
    finally:
        await quarantine.close()
        await pool.close()
    log.info("worker stopped", worker=str(worker))


async def run_quarantine(settings: Settings, worker: UUID, stop: asyncio.Event) -> None:
    """Runs suspects one by one, alone, and returns when there are none."""
    handlers: Handlers = load_handlers(settings.worker.load).including([maintenance(settings)])
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="quarantine")
    try:
        await run_suspects(build_leases(settings, pool, worker), handlers, settings.outbox, stop)
    finally:
        await pool.close()


async def _begin_maintenance(pool: db.Pool) -> None:
    try:
        await begin_maintenance(pool)
    except db.AWAY as error:
        log.warning("database is away", error=repr(error))
