"""`tidings secrets`: which keys there are, another master key, and sealing again with a new data key."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from tidings.app.sealed import SEALED_COLUMNS, Resealing, count_by_key
from tidings.cli.context import JsonOption, located_settings, run_async, show, table, transaction
from tidings.embedded.files import read_or_make, write_private
from tidings.kit import db
from tidings.kit.crypto import Key, Keyring, decoded, new_key
from tidings.kit.errors import ValidationFailed
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlock, unlocked
from tidings.spine.access.master_keys import KNOWN_AFTER, MasterKeys

secrets = typer.Typer(help="The keys that secrets are kept with.", no_args_is_help=True)

_HEADS = ("WHAT", "KEY", "VALUES", "STATE")
_SAMPLE = 4_000  # blocks of a table: 32 MB
_ESTIMATED = (
    "Of large tables a sample was counted: a key that few values are sealed with may be missing. `--exact` counts all."
)
_WHAT_NEXT = """\
Both the former master key and the new one open the database now. Next:
  1. Keep the new key apart from the database's backups. Backups made until now need the former one.
  2. Set it as {where} for every API and worker, and restart them.
  3. With it set, run `tidings secrets rotate --finish`: the former key opens nothing any more."""


def register(app: typer.Typer) -> None:
    app.add_typer(secrets, name="secrets")


@secrets.command("status")
def status(
    exact: Annotated[bool, typer.Option("--exact", help="count everything, however long it takes")] = False,
    as_json: JsonOption = False,
) -> None:
    """How much is sealed with which data key, and which master keys open them. Of large tables, an estimate."""

    async def run() -> None:
        settings = located_settings()
        async with transaction(settings) as connection:
            keyring = await unlocked(settings, connection)
            others = await MasterKeys(connection, keyring).others()
            most = None if exact else _SAMPLE
            counts = {sealed.name: await count_by_key(connection, sealed, most) for sealed in SEALED_COLUMNS}
        masters = [{"id": keyring.master.id.hex(), "set": True}]
        masters += [{"id": other.hex(), "set": False} for other in others]
        values = [
            {
                "column": name,
                "key": key.hex(),
                "values": amount,
                "state": _state(keyring, key),
                "exact": of_column.exact,
            }
            for name, of_column in counts.items()
            for key, amount in of_column.by_key.items()
        ]
        show({"masterKeys": masters, "sealed": values}, as_json, _status(masters, values))

    run_async(run())


@secrets.command("rotate")
def rotate(
    new_key_file: Annotated[
        Path | None, typer.Option(help="holds the new key, or gets it; without it, the key is printed")
    ] = None,
    finish: Annotated[
        bool, typer.Option("--finish", help="the key that is set stays, no other opens anything")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Change the master key. At once, however much is kept: only the data keys are wrapped again."""
    if finish and new_key_file is not None:
        raise ValidationFailed("--new-key-file: not together with --finish")

    async def run() -> None:
        settings = located_settings()
        if finish:
            await _finish(settings, as_json)
        elif _is_the_stacks(settings.master_key_file, settings):
            await _rotate_stack(settings, new_key_file, as_json)
        else:
            await _rotate(settings, new_key_file, as_json)

    run_async(run())


@secrets.command("renew")
def renew(
    at_once: Annotated[bool, typer.Option("--at-once", help="do not wait: no API and no worker runs")] = False,
    as_json: JsonOption = False,
) -> None:
    """Make a new data key, and seal everything with it. For when the old one may be known to somebody."""
    wait = timedelta(0) if at_once else KNOWN_AFTER

    async def run() -> None:
        settings = located_settings()
        async with transaction(settings) as connection:
            keyring = await unlocked(settings, connection)
            key = await MasterKeys(connection, keyring).renew(wait)
        _say(f"Made data key {key.id.hex()}; in {wait.total_seconds():.0f} seconds every process knows it.")
        await asyncio.sleep(wait.total_seconds())
        await _reseal(settings, as_json)

    run_async(run())


@secrets.command("reseal")
def reseal(as_json: JsonOption = False) -> None:
    """Seal with the newest data key what is sealed with an older one: goes on where `renew` was stopped."""
    run_async(_reseal(located_settings(), as_json))


async def _rotate(settings: Settings, file: Path | None, as_json: bool) -> None:
    new = new_key() if file is None else _key_in(file)
    former = await _added(settings, new)
    printed = {"secret": new.text()} if file is None else {"file": str(file)}
    where = "TIDINGS_MASTER_KEY" if settings.master_key is not None else f"the key in {settings.master_key_file}"
    text = _WHAT_NEXT.format(where=where)
    first = f"TIDINGS_MASTER_KEY={new.text()}\n" if file is None else f"The new key is in {file}.\n"
    show({"former": former, "new": new.id.hex(), "finished": False, **printed}, as_json, first + text)


async def _rotate_stack(settings: Settings, file: Path | None, as_json: bool) -> None:
    """The stack's own key is in its own file: its processes have what they need, and read the file when they start."""
    own = settings.master_key_file
    assert own is not None
    new = new_key() if file is None else _key_in(file)
    former = await _added(settings, new)
    write_private(own.with_name(f"{own.name}.former"), own.read_text(encoding="ascii"))
    write_private(own, new.text() + "\n")
    await _finished(settings)
    text = f"{own} has the new key; the former one, for backups made until now, is in {own.name}.former beside it."
    show({"former": former, "new": new.id.hex(), "finished": True, "file": str(own)}, as_json, text)


async def _finish(settings: Settings, as_json: bool) -> None:
    kept, dropped = await _finished(settings)
    text = f"Master key {kept} opens this database" + (
        ", and no other any more." if dropped else "; there is no other."
    )
    show({"key": kept, "finished": True}, as_json, text)


async def _added(settings: Settings, new: Key) -> str:
    async with transaction(settings) as connection:
        keyring = await unlocked(settings, connection)
        if new == keyring.master:
            raise ValidationFailed("--new-key-file: holds the key that is set already")
        await MasterKeys(connection, keyring).add(new)
    return keyring.master.id.hex()


async def _finished(settings: Settings) -> tuple[str, bool]:
    async with transaction(settings) as connection:
        keyring = await unlocked(settings, connection)
        dropped = await MasterKeys(connection, keyring).keep_only_this()
    return keyring.master.id.hex(), dropped


async def _reseal(settings: Settings, as_json: bool) -> None:
    async with transaction(settings) as connection:
        keyring = await unlocked(settings, connection)
    async with await db.open_pool(settings.database, db.Role.WORKER, name="cli", size=2) as pool:
        await unlock(keyring, pool)
        resealing = Resealing(pool, keyring, _progress())
        done = {sealed.name: await resealing.column(sealed) for sealed in SEALED_COLUMNS}
    if sys.stderr.isatty():
        typer.echo(err=True)
    rows = [(name, each.resealed, each.busy, each.unread) for name, each in done.items()]
    columns = {name: asdict(each) for name, each in done.items()}
    key = keyring.data.sealing[0].id.hex()
    show({"key": key, "columns": columns}, as_json, table(("WHAT", "RESEALED", "IN USE", "UNREADABLE"), rows))
    if any(each.busy for each in done.values()):
        _say("Some were in use: run `tidings secrets reseal` again.")


def _key_in(file: Path) -> Key:
    return decoded(read_or_make(file, lambda: new_key().text() + "\n"), "--new-key-file")


def _is_the_stacks(file: Path | None, settings: Settings) -> bool:
    """Whether the key is in the file that the embedded stack made for itself."""
    return file is not None and file.absolute() == (settings.data_dir.expanduser() / "master.key").absolute()


def _state(keyring: Keyring, key: bytes) -> str:
    ids = [known.id for known in keyring.data.sealing]
    if key not in ids:
        return "its key is not here"
    return "current" if key == ids[0] else "older"


def _status(masters: list[dict[str, Any]], values: list[dict[str, Any]]) -> str:
    rows = [(each["column"], each["key"], _about(each), each["state"]) for each in values]
    lines = [f"Master key {each['id']}{' (set)' if each['set'] else ' opens it too'}" for each in masters]
    shown = [table(_HEADS, rows) if rows else "Nothing is sealed."]
    return "\n".join([*lines, *shown, *([] if all(each["exact"] for each in values) else [_ESTIMATED])])


def _about(each: dict[str, Any]) -> str:
    return f"{each['values']:,}" if each["exact"] else f"about {each['values']:,}"


def _progress() -> Callable[[str, int], None]:
    def told(name: str, amount: int) -> None:
        typer.echo(f"\r{name}: {amount:,} sealed again", nl=False, err=True)

    return told if sys.stderr.isatty() else lambda name, amount: None


def _say(text: str) -> None:
    typer.echo(text, err=True)
