"""`tidings psql`: a prompt on the database, with the psql that comes with the embedded PostgreSQL."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

import typer

from tidings.cli.context import located_settings
from tidings.embedded.binaries import find_binaries
from tidings.kit.errors import Misconfigured


def register(app: typer.Typer) -> None:
    app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(psql)


def psql(context: typer.Context) -> None:
    """Open psql on the database; what follows goes to it, such as -c 'SELECT …' or -f FILE."""
    url = located_settings().database.url
    assert url is not None
    address, password = without_password(url)
    environment = os.environ if password is None else {**os.environ, "PGPASSWORD": password}
    os.execve(_program(), ["psql", address, *context.args], environment)  # noqa: S606 - no shell is wanted


def without_password(url: str) -> tuple[str, str | None]:
    """The address and the password apart: arguments can be read by everybody on the machine."""
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    name, colon, password = user.partition(":")
    if not colon:
        return url, None
    return urlunsplit(parts._replace(netloc=f"{name}@{host}")), unquote(password)


def _program() -> str:
    bundled = find_binaries().program("psql")
    found = bundled if Path(bundled).exists() else shutil.which("psql")
    if found is None:
        raise Misconfigured("there is no psql: install PostgreSQL's client programs")
    return found
