"""Migrations. Importing this costs little; Alembic and SQLAlchemy are imported when something is migrated."""

from __future__ import annotations

from tidings.kit.settings import Settings
from tidings.migrations.revisions import current_revision, newest_revision, older_revisions

__all__ = ["current_revision", "migrate", "newest_revision", "older_revisions"]


async def migrate(settings: Settings) -> str:
    """Brings the database to the newest revision, sets its limits, and returns that revision."""
    from tidings.migrations import migrating

    return await migrating.migrate(settings)
