"""Small files that are either there as a whole or not at all, readable by their owner alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

PRIVATE = 0o600
_LARGEST_LOG = 10_000_000


def write_private(path: Path, text: str) -> None:
    """Replace `path` by `text` in one step, synced to disk, mode 0600."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def read_or_make(path: Path, make: Callable[[], str]) -> str:
    """The text of `path`; when there is none yet, `make()`'s, kept for the next time."""
    if not path.exists():
        write_private(path, make())
    return path.read_text(encoding="utf-8").strip()


def last_line(path: Path) -> str:
    """The last line of a log that says anything, or nothing."""
    if not path.exists():
        return ""
    lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


def rotate(log: Path) -> None:
    """Put a log that has grown large aside, in place of the one put aside before."""
    if log.exists() and log.stat().st_size > _LARGEST_LOG:
        log.replace(log.with_name(f"{log.name}.1"))
