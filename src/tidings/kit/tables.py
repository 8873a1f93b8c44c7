"""The one metadata that every table of ours is declared in; migrations are checked against it."""

from __future__ import annotations

from sqlalchemy import MetaData

SCHEMA = "tidings"
METADATA = MetaData(schema=SCHEMA)
