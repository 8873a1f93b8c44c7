"""One stack to a data directory."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tidings.embedded.errors import AlreadyRunning
from tidings.kit.errors import Misconfigured


@contextmanager
def exclusive(data_dir: Path) -> Iterator[None]:
    """Hold the directory, or raise `AlreadyRunning`. The kernel lets go of it when this process dies."""
    try:
        descriptor = os.open(data_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Misconfigured(f"TIDINGS_DATA_DIR: cannot open {data_dir / 'lock'}: {error.strerror}") from None
    with os.fdopen(descriptor, "r+", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(
                f"Tidings already runs on {data_dir} (pid {file.read().strip() or 'unknown'})"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
        file.seek(0)
        file.truncate(0)
