"""How far long work has come, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import typer

Tell: TypeAlias = Callable[[int, int], None]


@contextmanager
def progress(what: str) -> Iterator[Tell]:
    """A line on standard error that says how many of how many are done; nothing where nobody watches."""
    told = False

    def tell(done: int, of: int) -> None:
        nonlocal told
        told = True
        typer.echo(f"\r{done:,} of {of:,} {what}", nl=False, err=True)

    try:
        yield tell if sys.stderr.isatty() else lambda done, of: None
    finally:
        if told:
            typer.echo(err=True)
