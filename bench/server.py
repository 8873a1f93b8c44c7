"""A PostgreSQL of the bench's own: the wheel's programs, default durability, in a temporary directory."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg

from tidings.embedded.ports import free_port
from tidings.embedded.postgres import Postgres, open_postgres
from tidings.embedded.supervisor import Supervisor, supervising
from tidings.kit.settings import DatabaseSettings, Settings
from tidings.migrations import migrate


@dataclass(frozen=True)
class Server:
    postgres: Postgres
    supervisor: Supervisor
    url: str

    @asynccontextmanager
    async def database(self, name: str, *, ours: bool = True) -> AsyncIterator[str]:
        """The URL of a new database, with our schema in it unless told otherwise; dropped on leaving."""
        await self._execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        await self._execute(f"CREATE DATABASE {name} TEMPLATE template0")
        url = urlsplit(self.url)._replace(path=f"/{name}").geturl()
        if ours:
            await migrate(Settings(database=DatabaseSettings(url=url)))
        try:
            yield url
        finally:
            await self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    async def settings(self, *names: str) -> dict[str, str]:
        async with connected(self.url) as connection:
            return {name: await connection.fetchval("SELECT current_setting($1)", name) for name in names}

    async def _execute(self, statement: str) -> None:
        async with connected(self.url) as connection:
            await connection.execute(statement)


@asynccontextmanager
async def serving(home: Path) -> AsyncIterator[Server]:
    async with supervising(home / "processes.json", lambda line: None) as supervisor:
        postgres = open_postgres(home, free_port())
        yield Server(postgres, supervisor, await postgres.start(supervisor))


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory that goes away; the user who runs PostgreSQL for root may pass through it."""
    path = Path(tempfile.mkdtemp(prefix="tidings-bench-"))
    if os.geteuid() == 0:
        path.chmod(0o711)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
