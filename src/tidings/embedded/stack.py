"""The whole of Tidings on one machine: PostgreSQL, Temporal, the API and a worker, as one process tree."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tidings.embedded.home import open_data_dir
from tidings.embedded.identity import birth
from tidings.embedded.info import StackInfo, publish, stack_file
from tidings.embedded.lock import exclusive
from tidings.embedded.parts import Listener, api_child, api_listener, master_key, worker_child
from tidings.embedded.ports import remembered_ports
from tidings.embedded.postgres import open_postgres
from tidings.embedded.signals import unless_stopped
from tidings.embedded.supervisor import Announce, Supervisor, supervising
from tidings.embedded.temporal import open_temporal
from tidings.kit.settings import Settings

A = TypeVar("A")
B = TypeVar("B")


async def _nothing_more(info: StackInfo) -> None:
    return None


@dataclass(frozen=True)
class Programs:
    """What the caller brings: Tidings' own commands, and how to bring a database up to date."""

    api: Sequence[str]
    worker: Sequence[str]
    migrate: Callable[[str], Awaitable[None]]
    on_ready: Callable[[StackInfo], Awaitable[None]]


async def run_stack(
    settings: Settings,
    *,
    announce: Announce,
    api_command: Sequence[str],
    worker_command: Sequence[str],
    migrate: Callable[[str], Awaitable[None]],
    on_ready: Callable[[StackInfo], Awaitable[None]] = _nothing_more,
) -> None:
    """Run everything until SIGINT or SIGTERM; nothing of it is left when this returns or raises.

    A second signal kills what has not stopped yet. `AlreadyRunning` when another stack holds the directory.
    """
    programs = Programs(api_command, worker_command, migrate, on_ready)
    data_dir = open_data_dir(settings.data_dir)
    with exclusive(data_dir):
        stack_file(data_dir).unlink(missing_ok=True)
        async with supervising(data_dir / "processes.json", announce) as supervisor:
            try:
                stack = _Stack(settings, data_dir, programs, supervisor)
                await unless_stopped(stack.bring_up(), supervisor.stop_requested)
                announce("Stopping ...")
            finally:
                stack_file(data_dir).unlink(missing_ok=True)
    announce("Stopped.")


@dataclass(frozen=True)
class _Servers:
    database_url: str = field(repr=False)
    temporal_address: str
    temporal_ui: str | None


@dataclass(frozen=True)
class _Stack:
    settings: Settings
    data_dir: Path
    programs: Programs
    supervisor: Supervisor

    async def bring_up(self) -> None:
        """Servers, migration, API and worker; then the stack can be found."""
        listener = api_listener(self.settings)
        servers = await self._start_servers()
        await self.programs.migrate(servers.database_url)
        key = master_key(self.settings, self.data_dir)
        environment = self._environment(servers, listener) | key
        await self._start_programs(environment, listener)
        info = self._info(servers, listener, key.get("TIDINGS_MASTER_KEY_FILE"))
        publish(info)
        await self.programs.on_ready(info)

    async def _start_servers(self) -> _Servers:
        names = ("postgres", "temporal", "temporal_ui", "temporal_http")
        ports = remembered_ports(self.data_dir / "ports.json", names)
        database, (address, ui) = await _both(self._database(ports), self._temporal(ports))
        return _Servers(database, address, ui)

    async def _database(self, ports: dict[str, int]) -> str:
        if self.settings.database.url:
            return self.settings.database.url
        postgres = open_postgres(self.data_dir, ports["postgres"])
        url = await postgres.start(self.supervisor)
        self.supervisor.announce(f"PostgreSQL {postgres.binaries.version} on port {postgres.port}, in {postgres.home}")
        return url

    async def _temporal(self, ports: dict[str, int]) -> tuple[str, str | None]:
        if self.settings.temporal.address:
            return self.settings.temporal.address, None
        namespace = self.settings.temporal.namespace
        temporal = open_temporal(
            self.data_dir, namespace, ports["temporal"], ports["temporal_ui"], ports["temporal_http"]
        )
        await self.supervisor.start(temporal.server())
        self.supervisor.announce(f"Temporal on {temporal.address}, its UI on {temporal.ui_url}")
        return temporal.address, temporal.ui_url

    async def _start_programs(self, environment: dict[str, str], listener: Listener) -> None:
        api = api_child(self.programs.api, environment, listener)
        worker = worker_child(self.programs.worker, environment, self.settings)
        await _both(self.supervisor.start(api), self.supervisor.start(worker))
        self.supervisor.announce(f"API on {listener.url}, with one worker")

    def _environment(self, servers: _Servers, listener: Listener) -> dict[str, str]:
        return {
            "TIDINGS_DATA_DIR": str(self.data_dir),
            "TIDINGS_DATABASE_URL": servers.database_url,
            "TIDINGS_TEMPORAL_ADDRESS": servers.temporal_address,
            "TIDINGS_TEMPORAL_NAMESPACE": self.settings.temporal.namespace,
            "TIDINGS_API_HOST": listener.bind,
            "TIDINGS_API_PORT": str(listener.port),
            "TIDINGS_DELIVERY_DEFAULT_PROVIDER": self._default_provider,
        }

    @property
    def _default_provider(self) -> str:
        """Here nothing leaves the machine unless somebody sets a provider, or says otherwise."""
        said = "default_provider" in self.settings.delivery.model_fields_set
        return self.settings.delivery.default_provider if said else "sandbox"

    def _info(self, servers: _Servers, listener: Listener, key_file: str | None) -> StackInfo:
        return StackInfo(
            database_url=servers.database_url,
            temporal_address=servers.temporal_address,
            temporal_namespace=self.settings.temporal.namespace,
            temporal_ui=servers.temporal_ui,
            api_url=listener.url,
            master_key_file=key_file,
            data_dir=str(self.data_dir),
            pid=os.getpid(),
            started=birth(os.getpid()) or "",
            public_url=self.settings.api.public_url,
            default_provider=self._default_provider,
            network_allow=self.settings.network.allow,
            dns_provider=self.settings.dns.provider,
        )


async def _both(first: Coroutine[None, None, A], second: Coroutine[None, None, B]) -> tuple[A, B]:
    """Run both at once. When one fails the other is given up, and the first failure is the one raised."""
    try:
        async with asyncio.TaskGroup() as group:
            one, two = group.create_task(first), group.create_task(second)
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return one.result(), two.result()
