"""The reports that were made, kept for as long as they may be sent again or asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from tidings.kit.crypto import Vault
from tidings.kit.db import Connection, Pool, affected
from tidings.modules.reports.model import KeptDocument

_FORGET = """
DELETE FROM tidings.report_documents WHERE run_id = ANY (ARRAY(
    SELECT d.run_id FROM tidings.report_documents d JOIN tidings.report_runs r ON r.id = d.run_id
    WHERE d.created_at < now() - $1::interval AND r.completed_at IS NOT NULL
    ORDER BY d.created_at LIMIT $2 FOR UPDATE OF d SKIP LOCKED))
"""
_CHUNK = 1_000


@dataclass(frozen=True)
class Documents:
    """One for a run, sealed: it tells of somebody's business."""

    vault: Vault

    async def keep(self, connection: Connection, tenant: str, run_id: int, document: KeptDocument) -> None:
        await connection.execute(
            """INSERT INTO tidings.report_documents (run_id, tenant, name, media_type, sealed)
               VALUES ($1, $2, $3, $4, $5)""",
            run_id,
            tenant,
            document.name,
            document.media_type,
            self.vault.seal(document.content, tenant),
        )

    async def of(self, connection: Connection | Pool, tenant: str, run_id: int) -> KeptDocument | None:
        """As it was made; None where there is none, or none any more."""
        row = await connection.fetchrow(
            "SELECT name, media_type, sealed FROM tidings.report_documents WHERE tenant = $1 AND run_id = $2",
            tenant,
            run_id,
        )
        if row is None:
            return None
        return KeptDocument(row["name"], row["media_type"], self.vault.open(row["sealed"], tenant))


async def forget_old_documents(connection: Connection, age: timedelta) -> bool:
    """Whether there is more to do. What is being mailed stays."""
    status = await connection.execute(_FORGET, age, _CHUNK)
    return affected(status) == _CHUNK
