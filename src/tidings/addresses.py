"""Where the database is."""

from __future__ import annotations

from tidings.embedded import find_stack
from tidings.kit.errors import Unavailable
from tidings.kit.settings import load_settings


def database_url() -> str:
    """`TIDINGS_DATABASE_URL`, or where it is not set, that of the embedded stack that runs on this machine.

    Raises `Unavailable` where there is neither.
    """
    settings = load_settings()
    if settings.database.url is not None:
        return settings.database.url
    stack = find_stack(settings.data_dir)
    if stack is None:
        raise Unavailable("no database: run `tidings up`, or set TIDINGS_DATABASE_URL")
    return stack.database_url
