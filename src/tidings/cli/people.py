"""`tidings people`: who can be told; import them from a CSV file."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from tidings.api.shown.people import shown_import, shown_person, shown_wrong_row
from tidings.cli.context import (
    JsonOption,
    LimitOption,
    TenantOption,
    fields,
    located_settings,
    require_tenant,
    run_async,
    show,
    table,
    transaction,
    utc,
)
from tidings.kit import db
from tidings.kit.errors import NotFound, ValidationFailed
from tidings.kit.paging import DEFAULT_LIMIT
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import ADDRESSES
from tidings.spine.channels.calling import Calling
from tidings.spine.channels.network import open_network
from tidings.spine.notify.people.addresses import Kind, of_email
from tidings.spine.notify.people.imports.reading import Import, Imports, Status, WrongRow
from tidings.spine.notify.people.imports.receiving import MOST_WRONG, Receiving
from tidings.spine.notify.people.imports.staging import Staging
from tidings.spine.notify.people.people import People
from tidings.spine.notify.people.person import PeopleFilter, Person

people = typer.Typer(help="Who can be told.", no_args_is_help=True)

_HEADS = ("ID", "EXTERNAL ID", "NAME", "TYPE", "E-MAIL", "PHONE", "MADE (UTC)")
_CHUNK = 65_536
_MOST_SHOWN = 50


def register(app: typer.Typer) -> None:
    app.add_typer(people, name="people")


@people.command("list")
def list_people(
    user_type: Annotated[str | None, typer.Option(help="only of this type")] = None,
    email: Annotated[str | None, typer.Option(help="only who has this address")] = None,
    name: Annotated[str | None, typer.Option(help="only whose name begins like this")] = None,
    limit: LimitOption = DEFAULT_LIMIT,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """The people of a tenant, the newest first."""
    wanted = PeopleFilter(user_type=user_type, email=_fingerprint(email), name_prefix=name)

    async def run() -> None:
        async with _people(tenant) as found:
            page = await found.list(wanted, None, limit)
        rows = [_row(person) for person in page.items]
        show([shown_person(person) for person in page.items], as_json, table(_HEADS, rows) if rows else "Nobody.")

    run_async(run())


@people.command("show")
def show_person(
    who: Annotated[str, typer.Argument(help="an id or an external id", metavar="WHO")],
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """One person in full. Of a URL no more is shown than where it leads."""

    async def run() -> None:
        async with _people(tenant) as found:
            person = await _one(found, who)
        show(shown_person(person), as_json, _in_full(person))

    run_async(run())


@people.command("import")
def import_people(
    file: Annotated[Path, typer.Argument(help="CSV in UTF-8, with a header", exists=True, dir_okay=False)],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="say what is wrong, and change nobody")] = False,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Create and change people from a file: all of them or, where a single row is wrong, nobody."""

    async def run() -> None:
        settings = located_settings()
        async with transaction(settings) as connection:
            await require_tenant(connection, tenant)
        ended, wrong = await _imported(settings, tenant, file, dry_run)
        document = {**shown_import(ended), "errors": [shown_wrong_row(row) for row in wrong]}
        show(document, as_json, _outcome(ended, wrong))
        if ended.status is Status.REFUSED:
            raise typer.Exit(2)

    run_async(run())


async def _imported(settings: Settings, tenant: str, file: Path, dry_run: bool) -> tuple[Import, list[WrongRow]]:
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="cli", size=2)
    async with pool:
        staging = Staging(pool, settings.database.connect_timeout.total_seconds(), tenant)
        keyring = await unlocked(settings, pool)
        refusal = Calling(open_network(settings.network)).refused
        receiving = Receiving(staging, keyring.vault(ADDRESSES), refusal, _progress())
        ended = await receiving.receive(_chunks(file), dry_run, file.name)
        if sys.stderr.isatty():
            typer.echo(err=True)
        async with staging.transaction() as connection:
            page = await Imports(connection, tenant).errors(ended.id, None, MOST_WRONG)
    return ended, list(page.items)


async def _chunks(file: Path) -> AsyncIterator[bytes]:
    with file.open("rb") as opened:
        while chunk := await asyncio.to_thread(opened.read, _CHUNK):
            yield chunk


def _progress() -> Callable[[int, int], None]:
    def told(rows: int, wrong: int) -> None:
        typer.echo(f"\r{rows:,} rows read, {wrong:,} wrong", nl=False, err=True)

    return told if sys.stderr.isatty() else lambda rows, wrong: None


def _outcome(ended: Import, wrong: list[WrongRow]) -> str:
    if ended.status is not Status.REFUSED:
        would = "would be " if ended.dry_run else ""
        return f"{ended.rows} rows: {ended.created} people {would}created, {ended.updated} {would}changed."
    lines = [f"line {row.line}: {row.error}" for row in wrong[:_MOST_SHOWN]]
    more = [f"… and {len(wrong) - _MOST_SHOWN} more; --json shows all"] if len(wrong) > _MOST_SHOWN else []
    return "\n".join([*lines, *more, ended.error or "Nobody was changed."])


@asynccontextmanager
async def _people(tenant: str) -> AsyncIterator[People]:
    settings = located_settings()
    async with transaction(settings) as connection:
        await require_tenant(connection, tenant)
        keyring = await unlocked(settings, connection)
        yield People(connection, tenant, keyring.vault(ADDRESSES))


async def _one(found: People, who: str) -> Person:
    try:
        return await found.get(UUID(who))
    except (ValueError, NotFound):
        page = await found.list(PeopleFilter(external_id=who), None, 1)
    if not page.items:
        raise NotFound("There is no such person.")
    return page.items[0]


def _fingerprint(email: str | None) -> str | None:
    try:
        return None if email is None else of_email(email).fingerprint
    except ValueError as error:
        raise ValidationFailed(f"--email: {error}") from None


def _row(person: Person) -> tuple[object, ...]:
    mail, phone = _values(person, Kind.EMAIL), _values(person, Kind.PHONE)
    return person.id, person.external_id, person.name, person.user_type, mail, phone, utc(person.created_at)


def _values(person: Person, *kinds: Kind) -> str:
    return " ".join(address.value for address in person.addresses if address.kind in kinds)


def _in_full(person: Person) -> str:
    quiet = person.quiet_hours
    return fields(
        {
            "id": person.id,
            "external id": person.external_id,
            "name": person.name,
            "type": person.user_type,
            "locale": person.locale,
            "timezone": person.timezone,
            "quiet hours": quiet and f"{quiet.begin:%H:%M} to {quiet.end:%H:%M}",
            "login": person.user_id,
            **{kind.value: _values(person, kind) for kind in Kind},
            "made": f"{utc(person.created_at)} UTC",
        }
    )
