"""Commands that run something, and that stop it: up, down, api, worker, migrate."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from tidings.cli.context import located_settings, run_async, show
from tidings.kit.configuration import require_sound
from tidings.kit.settings import Settings, describe_settings, load_settings

Load = Annotated[list[str] | None, typer.Option("--load", help="module or file with your handlers; may be repeated")]


def register(app: typer.Typer) -> None:
    for command in (up, down, api, worker, migrate, doctor):
        app.command()(command)


def up(load: Load = None) -> None:
    """Start everything here: PostgreSQL, Temporal, the API and a worker. Ctrl-C stops it."""
    from tidings.cli.stack import run_everything

    settings = with_handlers(load_settings(), load)
    require_sound(settings)
    asyncio.run(run_everything(settings))


def down() -> None:
    """Stop what `tidings up` runs here, from another terminal. The data stays."""
    from tidings.embedded.stopping import stop_stack

    data_dir = load_settings().data_dir
    typer.echo("Stopped." if stop_stack(data_dir) else f"Nothing runs in {data_dir}.")


def api() -> None:
    """Run the HTTP API against your own PostgreSQL."""
    from tidings.api.server import serve

    settings = located_settings()
    for number in (signal.SIGINT, signal.SIGTERM):  # once it has finished, the server sends itself the signal again
        signal.signal(number, lambda *_: sys.exit(0))
    serve(settings)


def worker(
    load: Load = None,
    check: Annotated[bool, typer.Option("--check", help="only load your handlers, and say what is wrong")] = False,
    quarantine: Annotated[UUID | None, typer.Option(hidden=True, help="run suspects alone, as this worker")] = None,
) -> None:
    """Run a worker: any number of them may share one database."""
    from tidings.worker import loading
    from tidings.worker.service import run_quarantine, run_worker

    if check:
        kinds = loading.load(with_handlers(load_settings(), load).worker.load).handlers.kinds
        return typer.echo(f"Handlers for {', '.join(sorted(kinds)) or 'no kinds'}.")
    settings = with_handlers(located_settings(), load)
    if quarantine is None:
        return _until_stopped(lambda stop: run_worker(settings, stop))
    return _until_stopped(lambda stop: run_quarantine(settings, quarantine, stop))


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
    settings: Annotated[bool, typer.Option("--settings", help="explain every setting instead")] = False,
) -> None:
    """Say what is wrong with the configuration, and what to do about it."""
    from tidings.cli.doctor import examine

    if settings:
        return typer.echo(describe_settings(), nl=False)
    raise typer.Exit(examine(as_json))


def migrate(as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False) -> None:
    """Bring the database up to date. Safe from many processes at once."""
    from tidings import migrations

    revision = run_async(migrations.migrate(located_settings()))
    show({"revision": revision}, as_json, f"The database is at revision {revision}.")


def with_handlers(settings: Settings, load: list[str] | None) -> Settings:
    """Both those of the setting and those of the option, each once: a child of ours has inherited the setting too."""
    names = tuple(dict.fromkeys(_located(name) for name in (*settings.worker.load, *(load or ()))))
    return settings.model_copy(update={"worker": settings.worker.model_copy(update={"load": names})})


def _located(name: str) -> str:
    return str(Path(name).resolve()) if name.endswith(".py") else name


def _until_stopped(main: Callable[[asyncio.Event], Coroutine[Any, Any, None]]) -> None:
    """Runs until SIGINT or SIGTERM. Threads of handlers that hang do not keep the process."""
    import uvloop

    async def run() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await main(stop)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())
        if any(thread is not threading.main_thread() and not thread.daemon for thread in threading.enumerate()):
            sys.stderr.flush()
            os._exit(0)
