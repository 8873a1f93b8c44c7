"""The peers: other people's queues, in an environment of their own. One that cannot run is named, with the reason."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from bench.figures import NotRun
from bench.plan import Plan
from bench.processes import ROOT, output_of
from bench.redis import Unavailable, redis_server

_LOCK = ROOT / "bench" / "peers.lock"
_ENVIRONMENT = ROOT / ".venv-peers"
_PYTHON = str(_ENVIRONMENT / "bin" / "python")
_UV = str(ROOT / "scripts" / "uv")
_TRIAL = 1_000
_PGQUEUER, _CELERY, _DRAMATIQ = "PgQueuer", "Celery + Redis", "Dramatiq + Redis"


@dataclass(frozen=True)
class Peer:
    name: str
    script: str
    jobs: int
    how: str
    before: Sequence[str] = ()
    after: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    async def settle_rate(self, count: int) -> float:
        script = str(ROOT / "bench" / "peers" / self.script)
        out = await output_of((_PYTHON, script, *self.before, str(count), *self.after), self.environment)
        return float(json.loads(out.splitlines()[-1])["settle"])


@asynccontextmanager
async def peers(plan: Plan) -> AsyncIterator[list[Peer | NotRun]]:
    """All of them, ready to be run or with the reason why not."""
    async with AsyncExitStack() as stack:
        try:
            await _install()
        except RuntimeError as error:
            reason = str(error).splitlines()[-1]
            yield [NotRun(name, reason) for name in (_PGQUEUER, _CELERY, _DRAMATIQ)]
            return
        url = await stack.enter_async_context(plan.server.database("bench_pgqueuer", ours=False))
        yield [await _tried(peer) for peer in (_pgqueuer(url), *await _on_redis(plan, stack))]


@asynccontextmanager
async def told_by_celery(plan: Plan, hook: str) -> AsyncIterator[Peer | NotRun]:
    """What a team without Tidings would do: a task that calls Apprise."""
    name = "Celery + Redis + Apprise"
    try:
        await _install()
        async with redis_server(plan.home) as url:
            environment = {"BENCH_REDIS": url, "BENCH_HOOK": hook.replace("http://", "json://")}
            yield await _tried(Peer(name, "run_celery_apprise.py", 2_000, "prefork 2", environment=environment))
    except (RuntimeError, Unavailable) as error:
        yield NotRun(name, str(error).splitlines()[-1])


async def _tried(peer: Peer | NotRun) -> Peer | NotRun:
    """A few jobs first: they warm it up, and show whether it works here."""
    if isinstance(peer, NotRun):
        return peer
    try:
        await peer.settle_rate(_TRIAL)
    except RuntimeError as error:
        return NotRun(peer.name, str(error).splitlines()[-1])
    return peer


def _pgqueuer(url: str) -> Peer:
    how = "two processes, asyncpg and uvloop, batches of 1,000, until the last is in its log as successful."
    return Peer(_PGQUEUER, "run_pgqueuer.py", 100_000, how, before=[url], after=["1000"])


async def _on_redis(plan: Plan, stack: AsyncExitStack) -> list[Peer | NotRun]:
    try:
        url = await stack.enter_async_context(redis_server(plan.home))
    except Unavailable as error:
        return [NotRun(_CELERY, str(error)), NotRun(_DRAMATIQ, str(error))]
    environment = {"BENCH_REDIS": url}
    started = "from the first job taken until the last is acknowledged."
    return [
        Peer(_CELERY, "run_celery.py", 10_000, f"prefork 2, results ignored; {started}", environment=environment),
        Peer(_DRAMATIQ, "run_dramatiq.py", 10_000, f"two processes of 8 threads; {started}", environment=environment),
    ]


async def _install() -> None:
    stamp = _ENVIRONMENT / ".lock"
    if stamp.exists() and stamp.read_bytes() == _LOCK.read_bytes():
        return
    if not _ENVIRONMENT.exists():
        await output_of((_UV, "venv", "--quiet", "--python", "3.11", str(_ENVIRONMENT)))
    await output_of((_UV, "pip", "sync", "--quiet", "--python", _PYTHON, "--require-hashes", str(_LOCK)))
    stamp.write_bytes(_LOCK.read_bytes())


def locked_versions() -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==([^ ;]+)", _LOCK.read_text(encoding="utf-8"), re.MULTILINE))
