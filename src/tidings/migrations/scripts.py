"""Runs the SQL files of a revision. The schema is written in SQL: most of it is functions and policies."""

from __future__ import annotations

from pathlib import Path

from alembic import op


def run_scripts(revision: str) -> None:
    """Runs `sql/<revision>/*.sql` in the order of their names, in the revision's transaction."""
    op.execute("SELECT 1")  # the driver begins the transaction with its first statement
    dbapi_connection = op.get_bind().connection.dbapi_connection
    assert dbapi_connection is not None
    for file in sorted((Path(__file__).parent / "sql" / revision).glob("*.sql")):
        script = file.read_text(encoding="utf-8")
        dbapi_connection.run_async(lambda driver, script=script: driver.execute(script))
