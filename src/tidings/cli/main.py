"""`tidings`: exit code 0, 1 for what failed, 2 for wrong use; errors in one line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from tidings.cli import emitting, outbox, running, tenants
from tidings.kit.errors import Forbidden, Misconfigured, NotFound, TidingsError, TooLarge, ValidationFailed

app = typer.Typer(
    name="tidings",
    help="The notification backbone for teams that run PostgreSQL.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
running.register(app)
emitting.register(app)
outbox.register(app)
tenants.register(app)

_WRONG_USE = (ValidationFailed, TooLarge, Misconfigured, Forbidden, NotFound)


def main(arguments: Sequence[str] | None = None) -> None:
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code."""
    try:
        code = app(list(arguments) or ["--help"], standalone_mode=False)
        return code if isinstance(code, int) else 0
    except typer.TyperException as error:
        print(f"tidings: {error.format_message()}", file=sys.stderr)
        return 2
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except typer.Exit as done:
        return done.exit_code
    except TidingsError as error:
        print(f"tidings: {error.detail}", file=sys.stderr)
        return 2 if isinstance(error, _WRONG_USE) else 1
