"""`tidings`: exit code 0, 1 for what failed, 2 for wrong use; errors in one line."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated

import typer

from tidings.cli import (
    broker,
    deliveries,
    emitting,
    facts,
    forecast,
    keys,
    organizations,
    outbox,
    people,
    projections,
    provider_changes,
    provider_types,
    providers,
    psql,
    rules,
    running,
    sandbox,
    secrets,
    templates,
    tenants,
    trace,
    users,
    why,
)
from tidings.kit.errors import Forbidden, Misconfigured, NotFound, TidingsError, TooLarge, ValidationFailed


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tidings {version('tidings')}")
        raise typer.Exit


app = typer.Typer(
    name="tidings",
    help="The notification backbone for teams that run PostgreSQL.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
for module in (
    running,
    psql,
    emitting,
    facts,
    outbox,
    people,
    rules,
    templates,
    providers,
    provider_types,
    provider_changes,
    deliveries,
    sandbox,
    trace,
    why,
    forecast,
    organizations,
    projections,
    broker,
    tenants,
    users,
    keys,
    secrets,
):
    module.register(app)

_WRONG_USE = (ValidationFailed, TooLarge, Misconfigured, Forbidden, NotFound)


@app.callback()
def tidings(
    show_version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="print the version")
    ] = False,
) -> None: ...


def main(arguments: Sequence[str] | None = None) -> None:
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code."""
    try:
        code = app(list(arguments) or ["--help"], standalone_mode=False)
        return code if isinstance(code, int) else 0
    except typer.TyperException as error:
        if message := error.format_message():  # a missing command has shown the help, and has nothing to add
            _say(message)
        return 2
    except (typer.Abort, KeyboardInterrupt):
        _say("stopped")
        return 130
    except typer.Exit as done:
        return done.exit_code
    except TidingsError as error:
        _say(_as_typed(error.detail, arguments))
        return 2 if isinstance(error, _WRONG_USE) else 1


def _say(message: str) -> None:
    """On standard error, in one line."""
    print("tidings:", " ".join(message.split()), file=sys.stderr)


def _as_typed(detail: str, arguments: Sequence[str]) -> str:
    """Errors name a field as the API has it (`runAt`); here it is named as it was typed (`--run-at`)."""
    field, colon, message = detail.partition(": ")
    option = "--" + re.sub("(?<=[a-z])(?=[A-Z])", "-", field).lower()
    typed = any(argument.partition("=")[0] == option for argument in arguments)
    return f"{option}: {message}" if colon and typed else detail
