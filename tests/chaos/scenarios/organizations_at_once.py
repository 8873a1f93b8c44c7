"""A hundred organisations, asked for at once of `tidings up` as it is, with nothing set but shorter waits."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from tests.api.organization_routes import ASK, a_request
from tests.chaos.report import Counts
from tests.chaos.waiting import Violated, free_port, until
from tests.chaos.world import World
from tests.support.taking_on import WAITS

NAME = "organizations: a hundred at once, embedded"
ONLY_AT_LENGTH = True


@dataclass(frozen=True)
class Size:
    organizations: int
    guard: float


FULL = Size(organizations=100, guard=600)
SHORT = Size(organizations=10, guard=100)


@dataclass(frozen=True)
class Up:
    """A stack that runs, and an admin of it."""

    world: World
    environment: dict[str, str]
    http: aiohttp.ClientSession
    url: str

    async def call(self, method: str, path: str, **options: Any) -> Any:
        async with self.http.request(method, self.url + path, **options) as reply:
            if not reply.ok:
                raise Violated(f"{method} {path}: {reply.status} {await reply.text()}")
            return await reply.json()

    async def listed(self, path: str) -> list[Any]:
        """All pages."""
        rows: list[Any] = []
        cursor = ""
        while True:
            page = await self.call("GET", f"{path}?limit=100{cursor}")
            rows += page["data"]
            if not page["pagination"]["hasMore"]:
                return rows
            cursor = f"&cursor={page['pagination']['nextCursor']}"

    async def command(self, *arguments: str) -> str:
        code, said = await self.world.processes.command(arguments, self.environment)
        if code:
            raise Violated(f"{' '.join(arguments)} ended with {code}: {said}")
        return said


async def run(world: World, size: Size) -> Counts:
    async with _running(world) as up:
        began = time.monotonic()
        names = [f"org-{n}" for n in range(size.organizations)]
        await asyncio.gather(*(up.call("POST", ASK, json=a_request(name)) for name in names))
        accepted = time.monotonic()

        async def all_have_ended() -> bool:
            return all(each["closedAt"] for each in await up.listed("/v1/organizations"))

        await until(all_have_ended, "all have ended", size.guard)
        ended = time.monotonic()
        ends = Counter(each["status"] for each in await up.listed("/v1/organizations"))
        if ends != {"completed": size.organizations}:
            raise Violated(f"they ended as {dict(ends)}")
        mails = Counter(each["to"] for each in await up.listed("/v1/sandbox"))
        if mails != Counter(f"{who}@{name}.example.com" for who in ("admin", "member") for name in names):
            raise Violated(f"mails went to {mails.most_common(3)}, and so on")
        for look in (["organizations", "reconcile"], ["projections", "rebuild", "--dry-run"]):
            if found := json.loads(await up.command(*look, "--json")):
                raise Violated(f"{' '.join(look)} found {found}")
        return {
            "organizations": size.organizations,
            "completed": ends["completed"],
            "mails": mails.total(),
            "seconds until all were accepted": round(accepted - began),
            "seconds until all were complete": round(ended - began),
        }


@asynccontextmanager
async def _running(world: World) -> AsyncIterator[Up]:
    parent = Path(tempfile.mkdtemp(prefix="tidings-chaos-up-"))
    parent.chmod(0o755)  # PostgreSQL is somebody else
    port = free_port()
    own = {"TIDINGS_DATA_DIR": str(parent / "data"), "TIDINGS_API_PORT": str(port), "TIDINGS_LOG_LEVEL": "warning"}
    life = world.processes.start(["up"], own | WAITS)
    try:
        async with aiohttp.ClientSession() as nobody:

            async def is_ready() -> bool:
                try:
                    async with nobody.get(f"http://127.0.0.1:{port}/readyz") as reply:
                        return reply.status == 200
                except aiohttp.ClientError:
                    return False

            await until(is_ready, "the stack is ready", 120)
        _, key = await world.processes.command(["key", "create", "--name", "chaos"], own)
        async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {key.strip()}"}) as http:
            yield Up(world, own, http, f"http://127.0.0.1:{port}")
    finally:
        life.process.send_signal(signal.SIGTERM)
        await life.wait()
        shutil.rmtree(parent, ignore_errors=True)
