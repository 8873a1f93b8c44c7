"""`tidings up`: the embedded stack with our own API, worker and migration in it."""

from __future__ import annotations

import sys

import typer

from tidings import migrations
from tidings.embedded.info import StackInfo
from tidings.embedded.stack import run_stack
from tidings.kit.settings import Settings


async def run_everything(settings: Settings) -> None:
    """Until Ctrl-C or SIGTERM; leaves no process behind."""

    async def migrate(url: str) -> None:
        await migrations.migrate(_with_database(settings, url))

    async def ready(info: StackInfo) -> None:
        link = await _sign_in_link(settings, info)
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
