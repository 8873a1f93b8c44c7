"""Which revisions there are, and which one a database has. Every process asks at its start: Alembic is not imported."""

from __future__ import annotations

from pathlib import Path

from tidings.kit import db

_VERSIONS = Path(__file__).parent / "versions"


def newest_revision() -> str:
    return max(_revisions())


def older_revisions() -> frozenset[str]:
    """Revisions before the newest: a database at one of them has to be migrated; one we do not know is ahead of us."""
    return _revisions() - {newest_revision()}


def _revisions() -> frozenset[str]:
    """The history is one line, and its files are named by their revision: `0001_spine.py`."""
    return frozenset(file.stem.partition("_")[0] for file in _VERSIONS.glob("[0-9]*_*.py"))


async def current_revision(connection: db.Connection) -> str | None:
    """The revision that the database has, or None where nothing was migrated yet."""
    if await connection.fetchval("SELECT to_regclass('tidings.alembic_version')") is None:
        return None
    revision: str | None = await connection.fetchval("SELECT version_num FROM tidings.alembic_version")
    return revision
