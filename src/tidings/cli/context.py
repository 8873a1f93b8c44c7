"""What every command needs: settings, and where the database is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, TypeVar

import typer

from tidings.addresses import located
from tidings.kit import db, logging
from tidings.kit.configuration import require_sound
from tidings.kit.errors import Misconfigured, Unavailable, ValidationFailed
from tidings.kit.settings import Settings, load_settings

T = TypeVar("T")


def located_settings() -> Settings:
    """Settings that are sound and say where the database is: your own, or the stack that runs here."""
    settings = load_settings()
    logging.configure(settings.log)
    require_sound(settings)
    found = located(settings)
    if found is None:
        raise Misconfigured(
            f"TIDINGS_DATABASE_URL: not set, and no stack runs in {settings.data_dir}; run `tidings up` or set it"
        )
    return found


@asynccontextmanager
async def worker_pool(settings: Settings) -> AsyncIterator[db.Pool]:
    """A small pool that sees every tenant: the command line is the operator's."""
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="cli", size=2)
    try:
        yield pool
    finally:
        await pool.close()


def run_async(main: Coroutine[Any, Any, T]) -> T:
    """Runs a command; a database that is away is one line, not a stack trace."""
    try:
        return asyncio.run(main)
    except db.AWAY as error:
        raise Unavailable(f"the database cannot be reached: {error}") from error


def parse_time(name: str, text: str) -> datetime:
    """A moment, as somebody wrote it on the command line."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValidationFailed(f"{name}: must be a time in ISO 8601, such as 2027-01-31T09:00:00+01:00") from None
    if moment.tzinfo is None:
        raise ValidationFailed(f"{name}: needs a timezone, such as +00:00")
    return moment


def show(data: Any, as_json: bool, text: str) -> None:
    """Output that is data: JSON on request, a line for people otherwise."""
    typer.echo(json.dumps(data, default=str, ensure_ascii=False) if as_json else text)
