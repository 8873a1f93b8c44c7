"""Django, set up for one database at a time. Its connections belong to the thread that opened them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import django  # type: ignore[import-untyped]
from django.conf import settings  # type: ignore[import-untyped]
from django.db import connection, connections, transaction  # type: ignore[import-untyped]
from psycopg.conninfo import conninfo_to_dict

DJANGO: Any = connection
_NAMES = {"dbname": "NAME", "host": "HOST", "port": "PORT", "user": "USER"}


@contextmanager
def django_connection(url: str) -> Iterator[Any]:
    """`django.db.connection` to this database, in this thread, in autocommit as Django has it."""
    if not settings.configured:
        settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.postgresql"}}, USE_TZ=True)
        django.setup()
    given = conninfo_to_dict(url)
    connections.settings["default"].update({theirs: str(given[ours]) for ours, theirs in _NAMES.items()})
    try:
        yield connection
    finally:
        connection.close()
        del connections["default"]


@contextmanager
def django_transaction(url: str) -> Iterator[Any]:
    with django_connection(url) as connection, transaction.atomic():
        yield connection


@contextmanager
def django_alias_transaction(url: str) -> Iterator[Any]:
    with django_connection(url), transaction.atomic("default"):
        yield connections["default"]
