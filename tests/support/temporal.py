"""Real Temporal servers for tests, the development server and the one that skips time; a stage to run processes on."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import shutil
import socket
import subprocess
import sysconfig
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from temporalio.api.enums.v1 import EventType
from temporalio.api.history.v1 import History
from temporalio.api.testservice.v1 import LockTimeSkippingRequest, UnlockTimeSkippingRequest
from temporalio.client import Client, WorkflowHandle
from temporalio.service import RPCError
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from tidings.embedded.temporal import find_temporal
from tidings.kit import db
from tidings.kit.crypto import DataKeys, Key, Keyring
from tidings.kit.settings import Settings, TemporalSettings
from tidings.spine.access.purposes import PROCESSES
from tidings.spine.outbox.handlers import Kind
from tidings.spine.processes.codec import sealing_converter
from tidings.spine.processes.connecting import Temporal
from tidings.spine.processes.running import Performing, build_worker
from tidings.spine.processes.signalling import Signalling
from tidings.spine.processes.starting import Starting
from tidings.testing import adrain_outbox

atexit.register(time.sleep, 0.1)  # or the process aborts at exit now and then (temporalio/sdk-python#300)

_HOST = "127.0.0.1"
_FLAGS = ("--headless", "--log-level", "error", "--dynamic-config-value", 'history.timerProcessorMaxTimeShift="1ms"')
TESTS_KEY = Key(bytes(range(32)))
"""What the histories that are kept are sealed with: of fixed bytes, known to everybody."""


def keyring_of_tests() -> Keyring:
    return Keyring(TESTS_KEY, DataKeys(TESTS_KEY, (TESTS_KEY,)))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class DevServer:
    """Temporal's development server; with a `file`, what it knows outlives it."""

    port: int = field(default_factory=free_port)
    file: Path | None = None
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"{_HOST}:{self.port}"

    def start(self) -> None:
        where = () if self.file is None else ("--db-filename", str(self.file))
        command = [find_temporal(), "server", "start-dev", "--ip", _HOST, "--port", str(self.port), *_FLAGS, *where]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not self._answers():
            if self.process.poll() is not None:
                raise RuntimeError("Temporal does not start")
            time.sleep(0.02)

    def _answers(self) -> bool:
        command = [find_temporal(), "operator", "namespace", "describe", "-n", "default", "--address", self.address]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextmanager
def dev_server(file: Path | None = None) -> Iterator[DevServer]:
    server = DevServer(file=file)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@asynccontextmanager
async def skipping_time(keyring: Keyring) -> AsyncIterator[WorkflowEnvironment]:
    """A server of its own: an idle process of another test would make its clock leap."""
    program = shutil.which("temporal-test-server", path=sysconfig.get_path("scripts"))
    environment = await WorkflowEnvironment.start_time_skipping(
        test_server_existing_path=program, data_converter=sealing_converter(keyring.vault(PROCESSES))
    )
    async with environment:
        yield environment


@asynccontextmanager
async def leaping(environment: WorkflowEnvironment) -> AsyncIterator[None]:
    """While it is open, the clock leaps to whatever is waited for next."""
    service = environment.client.service_client.test_service
    await service.unlock_time_skipping(UnlockTimeSkippingRequest())
    try:
        yield
    finally:
        await service.lock_time_skipping(LockTimeSkippingRequest())


@dataclass(frozen=True)
class Stage:
    """What it takes to run processes of one database on one Temporal."""

    settings: Settings
    pool: db.Pool
    keyring: Keyring
    temporal: Temporal
    performing: Performing

    @property
    def kinds(self) -> list[Kind]:
        parts = self.pool, self.temporal, lambda: datetime.now(UTC)
        return [Starting(*parts).kind(), Signalling(*parts).kind()]

    async def pass_on(self) -> Mapping[str, int]:
        """Starts and signals what there is to be, as a worker would; what is gathered goes now."""
        return await adrain_outbox(self.settings, *self.kinds, ahead=timedelta(seconds=3))

    @asynccontextmanager
    async def performed(self, performing: Performing | None = None) -> AsyncIterator[Worker]:
        """While it is open, processes run."""
        client = await self.temporal.client()
        async with build_worker(self.temporal, client, performing or self.performing, timedelta(seconds=1)) as worker:
            yield worker

    async def handle(self, id: str) -> WorkflowHandle[Any, Any]:
        return (await self.temporal.client()).get_workflow_handle(id)

    async def status(self, id: str) -> dict[str, Any]:
        answer: dict[str, Any] = await (await self.handle(id)).query("status")
        return answer

    async def says(self, id: str, **expected: Any) -> bool:
        status = await self.status(id)
        return {name: status[name] for name in expected} == expected

    async def has_ended(self, id: str) -> bool:
        return (await (await self.handle(id)).describe()).close_time is not None


@asynccontextmanager
async def stage_on(
    address: str, database: Settings, pool: db.Pool, keyring: Keyring, performing: Performing
) -> AsyncIterator[Stage]:
    """All processes of a stage are ended with it."""
    temporal = TemporalSettings(address=address, task_queue=f"queue-{time.time_ns()}", patience=timedelta(seconds=5))
    settings = database.model_copy(update={"temporal": temporal})
    stage = Stage(settings, pool, keyring, Temporal(temporal, keyring.vault(PROCESSES)), performing)
    try:
        yield stage
    finally:
        await _end_all(stage)


async def _end_all(stage: Stage) -> None:
    client = stage.temporal.connected
    if client is None:
        return
    for row in await stage.pool.fetch("SELECT id FROM tidings.processes WHERE started_at IS NOT NULL"):
        with contextlib.suppress(RPCError):  # it may have ended, or never been
            await client.get_workflow_handle(row["id"]).terminate()


async def histories(client: Client, id: str) -> list[History]:
    """Of all its runs, the first one first, as Temporal has them: nothing is opened."""
    found: list[History] = []
    run = (await client.get_workflow_handle(id).describe()).run_id
    while run:
        events = [event async for event in client.get_workflow_handle(id, run_id=run).fetch_history_events()]
        found.insert(0, History(events=events))
        run = events[0].workflow_execution_started_event_attributes.continued_execution_run_id
    return found


def count(found: Sequence[History], type: EventType.ValueType) -> int:
    return sum(event.event_type == type for history in found for event in history.events)


async def until(condition: Callable[[], Any], within: float = 30.0) -> None:
    """Waits for what must become true; fails the test when it does not."""
    async with asyncio.timeout(within):
        while not await condition():
            await asyncio.sleep(0.02)
