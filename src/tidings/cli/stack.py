"""`tidings up`: the embedded stack with our own API, worker and migration in it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from tidings import migrations
from tidings.cli.tenants import operator_sign_in_link
from tidings.embedded.info import StackInfo
from tidings.embedded.stack import run_stack
from tidings.kit.errors import Misconfigured
from tidings.kit.settings import Settings


async def run_everything(settings: Settings) -> None:
    """Until Ctrl-C or SIGTERM; leaves no process behind."""

    python = [sys.executable, "-m", "tidings"]
    worker = [*python, "worker", *(f"--load={name}" for name in settings.worker.load)]

    async def migrate(url: str) -> None:
        await _require_loadable([*worker, "--check"], {"TIDINGS_DATABASE_URL": url})
        await migrations.migrate(_with_database(settings, url))

    async def ready(info: StackInfo) -> None:
        found = _with_database(settings, info.database_url)
        key_file = Path(info.master_key_file) if info.master_key_file else settings.master_key_file
        link = await operator_sign_in_link(found.model_copy(update={"master_key_file": key_file}), info.api_url)
        typer.echo(f"\nReady. Sign in: {link}\nAPI reference: {info.api_url}/docs\nCtrl-C stops everything.")

    await run_stack(
        settings,
        announce=typer.echo,
        api_command=[*python, "api"],
        worker_command=worker,
        migrate=migrate,
        on_ready=ready,
    )


async def _require_loadable(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Refuses handlers that a worker could not load, in a process of their own: they are not for the supervisor."""
    check = await asyncio.create_subprocess_exec(
        *command,
        env=os.environ | environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, complaint = await check.communicate()
    finally:
        if check.returncode is None:
            check.kill()
            await check.wait()
    if check.returncode:
        last = complaint.decode(errors="replace").strip().rpartition("\n")[2]
        raise Misconfigured(last.removeprefix("tidings: ") or f"--load: ended with code {check.returncode}")


def _with_database(settings: Settings, url: str) -> Settings:
    return settings.model_copy(update={"database": settings.database.model_copy(update={"url": url})})
