"""Imports that are over, and those whose receiver is gone: what is left of them goes in time."""

from __future__ import annotations

from datetime import timedelta

from tidings.kit.db import Connection, affected

_CHUNK = 10_000
_GONE = timedelta(days=1)
"""Without a sign of life, nobody receives or applies it any more, however large it is."""

# A file may have a million rows: they go before their import does, a chunk at a time.
_ROWS = """
DELETE FROM tidings.import_rows WHERE ctid = ANY (ARRAY(
    SELECT r.place FROM tidings.imports i CROSS JOIN LATERAL (
        SELECT x.ctid AS place FROM tidings.import_rows x WHERE x.import_id = i.id
        ORDER BY x.line LIMIT $3 FOR UPDATE SKIP LOCKED) r
    WHERE i.touched_at < now() - $1::interval
        OR i.touched_at < now() - $2::interval AND i.status IN ('receiving', 'applying')
    LIMIT $3))
"""
_IMPORTS = """
DELETE FROM tidings.imports WHERE id = ANY (ARRAY(
    SELECT i.id FROM tidings.imports i WHERE i.touched_at < now() - $1::interval
        AND NOT EXISTS (SELECT FROM tidings.import_rows r WHERE r.import_id = i.id)
    ORDER BY i.touched_at LIMIT $2 FOR UPDATE SKIP LOCKED))
"""


async def forget_old_imports(connection: Connection, retention: timedelta) -> bool:
    """A chunk of them, and of their rows. Returns whether there may be more."""
    rows = affected(await connection.execute(_ROWS, retention, _GONE, _CHUNK))
    imports = affected(await connection.execute(_IMPORTS, retention, _CHUNK))
    return max(rows, imports) == _CHUNK
