"""`tidings up`: the embedded stack with our own API, worker and migration in it."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from tidings import migrations
from tidings.cli.tenants import operator_sign_in_link
from tidings.embedded.info import StackInfo
from tidings.embedded.stack import run_stack
from tidings.kit.settings import Settings


async def run_everything(settings: Settings) -> None:
    """Until Ctrl-C or SIGTERM; leaves no process behind."""

    async def migrate(url: str) -> None:
        await migrations.migrate(_with_database(settings, url))

    async def ready(info: StackInfo) -> None:
        found = _with_database(settings, info.database_url)
        key_file = Path(info.master_key_file) if info.master_key_file else settings.master_key_file
        link = await operator_sign_in_link(found.model_copy(update={"master_key_file": key_file}), info.api_url)
        typer.echo(f"\nReady. Sign in: {link}\nAPI reference: {info.api_url}/docs\nCtrl-C stops everything.")

    python = [sys.executable, "-m", "tidings"]
    await run_stack(
        settings,
        announce=typer.echo,
        api_command=[*python, "api"],
        worker_command=[*python, "worker", *(f"--load={name}" for name in settings.worker.load)],
        migrate=migrate,
        on_ready=ready,
    )


def _with_database(settings: Settings, url: str) -> Settings:
    return settings.model_copy(update={"database": settings.database.model_copy(update={"url": url})})
