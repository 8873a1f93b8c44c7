"""Where the files of the embedded servers are, with the right owners.

Permissions are never changed on anything that was not made here: when root's data directory lies where
the unprivileged user cannot reach it (root's home is 0700), PostgreSQL's own files go to /var/lib/tidings
and `<data_dir>/postgres` is a link to them.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from tidings.embedded.runner import Runner
from tidings.kit.errors import Misconfigured

SHARED_STATE = Path("/var/lib/tidings")


def open_data_dir(path: Path) -> Path:
    """The data directory, absolute and there. Made by root, others may pass through it and not look."""
    directory = path.expanduser().absolute()
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o711 if os.geteuid() == 0 else 0o700)
    except OSError as error:
        raise Misconfigured(f"TIDINGS_DATA_DIR: cannot use {directory}: {error.strerror}") from None
    if not os.access(directory, os.W_OK | os.X_OK):
        raise Misconfigured(f"TIDINGS_DATA_DIR: {directory} is not writable for this user")
    return directory


def postgres_home(data_dir: Path, runner: Runner | None, elsewhere: Path = SHARED_STATE) -> Path:
    """The directory for PostgreSQL's files, owned by who runs it; made when there is none."""
    link = data_dir / "postgres"
    if link.exists():
        return _checked(link, runner)
    if link.is_symlink():
        raise Misconfigured(f"{link} points to {link.readlink()}, which is gone: restore it, or remove the link")
    if runner is None or runner.can_reach(data_dir):
        return _made(link, runner)
    home = _made(_outside(elsewhere) / secrets.token_hex(8), runner)
    link.symlink_to(home)
    return home


def _checked(link: Path, runner: Runner | None) -> Path:
    home = link.resolve()
    if runner is not None and not runner.can_reach(home):
        raise Misconfigured(
            f"TIDINGS_DATA_DIR: user id {runner.uid}, who runs PostgreSQL for root, cannot reach {home}"
        )
    return home


def _outside(elsewhere: Path) -> Path:
    try:
        elsewhere.mkdir(parents=True, exist_ok=True, mode=0o711)
    except OSError as error:
        raise Misconfigured(f"TIDINGS_DATA_DIR: set it outside root's home; {elsewhere}: {error.strerror}") from None
    return elsewhere


def _made(home: Path, runner: Runner | None) -> Path:
    home.mkdir(mode=0o700)
    if runner is not None:
        os.chown(home, runner.uid, runner.gid)
    return home.resolve()
