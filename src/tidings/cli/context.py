"""What every command needs: settings, and where the database is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

import asyncpg
import typer

from tidings.addresses import located
from tidings.kit import db, logging
from tidings.kit.configuration import require_sound
from tidings.kit.errors import Misconfigured, TidingsError, Unavailable, ValidationFailed
from tidings.kit.json_output import dump
from tidings.kit.paging import MOST
from tidings.kit.settings import Settings, load_settings
from tidings.migrations import current_revision, newest_revision

T = TypeVar("T")
JsonOption = Annotated[bool, typer.Option("--json", help="print JSON")]
TenantOption = Annotated[str, typer.Option("--tenant", help="which tenant")]
LimitOption = Annotated[int, typer.Option("--limit", min=1, max=MOST, help="how many at most")]
_NOT_LET_IN = (
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
)


class NotMigrated(TidingsError):
    """The database is not migrated."""

    def __init__(self, revision: str | None = None) -> None:
        super().__init__(f"TIDINGS_DATABASE_URL: its schema is at {revision or 'nothing'}; run `tidings migrate` first")


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
async def transaction(settings: Settings, role: db.Role = db.Role.WORKER) -> AsyncIterator[db.Connection]:
    """One transaction on a migrated database. As the worker it sees every tenant: this is the operator's."""
    connection = await _connected(settings, role)
    try:
        async with connection.transaction():
            yield connection
    finally:
        await connection.close()


async def _connected(settings: Settings, role: db.Role) -> asyncpg.Connection[asyncpg.Record]:
    try:
        connection = await db.connect(settings.database, role, name="cli")
    except asyncpg.InvalidParameterValueError:  # there is no such role: no database of the cluster was ever migrated
        raise NotMigrated from None
    except _NOT_LET_IN as error:
        raise Misconfigured(f"TIDINGS_DATABASE_URL: {_first_line(error)}; `tidings doctor` says what to do") from error
    try:
        await _require_migrated(connection, role)
    except BaseException:
        await connection.close()
        raise
    return connection


async def _require_migrated(connection: db.Connection, role: db.Role) -> None:
    if role is db.Role.EMIT:  # may not read the revision
        if await connection.fetchval("SELECT to_regnamespace('tidings') IS NULL"):
            raise NotMigrated
        return
    revision = await current_revision(connection)
    if revision is None or revision < newest_revision():
        raise NotMigrated(revision)


async def require_tenant(connection: db.Connection, tenant: str) -> None:
    if not await connection.fetchval("SELECT EXISTS (SELECT FROM tidings.tenants WHERE id = $1)", tenant):
        raise ValidationFailed(f"--tenant: there is no tenant {tenant}; `tidings tenant list` shows those there are")


def run_async(main: Coroutine[Any, Any, T]) -> T:
    """Runs a command; a database that is away is one line, not a stack trace."""
    try:
        return asyncio.run(main)
    except db.AWAY as error:
        raise Unavailable(f"the database cannot be reached: {error}") from error


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]


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
    typer.echo(dump(data).decode() if as_json else harmless(text))


def harmless(text: str) -> str:
    """Without what a terminal would obey: names, errors and messages come from people and providers anywhere."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Rows under their heads, each on a line of its own whatever is in it."""
    cells = [[_on_one_line(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)
    return "\n".join(line.rstrip() for line in lines)


def fields(pairs: Mapping[str, object]) -> str:
    """One thing in full: a line for each of its fields that has something to say."""
    return "\n".join(f"{name:12} {value}" for name, value in pairs.items() if value not in (None, ""))


def utc(moment: datetime | None) -> str:
    """A time for people; the head of its column says the zone."""
    return "" if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def _on_one_line(cell: object) -> str:
    return "" if cell is None else " ".join(str(cell).split())
