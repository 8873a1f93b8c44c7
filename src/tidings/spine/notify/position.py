"""How far somebody who listens has got: what they come back with, so that nothing is missed meanwhile."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

from tidings.kit.db import Connection

TOLD_AGAIN = timedelta(days=1)
"""How long ago a position may be; from one that is older nobody knows what was missed."""
KEPT = TOLD_AGAIN + timedelta(hours=1)
"""How long announcements are kept: longer by what a transaction may take that announces something."""
HERE = "pg_snapshot_xmin(pg_current_snapshot()) || '.' || extract(epoch FROM now())::bigint"
"""SQL: the position of the statement that it is part of."""
WRITTEN = r"[0-9]{1,19}\.[0-9]{1,11}"


@dataclass(frozen=True, slots=True)
class Position:
    """`transaction` is the oldest that had not ended: what earlier ones announced was announced before. `at`: when that
    was, in seconds since 1970, by the clock of the database."""

    transaction: int
    at: int

    def __str__(self) -> str:
        return f"{self.transaction}.{self.at}"

    def reaches_back_to(self, former: Position) -> bool:
        """Whether all that was announced since then is kept. Not where it is of another database, or of its future."""
        return former.transaction <= self.transaction and self.at - former.at <= TOLD_AGAIN.total_seconds()


def parse_position(text: str) -> Position:
    """ValueError for what is none."""
    if re.fullmatch(WRITTEN, text) is None:
        raise ValueError("is no position")
    transaction, _, at = text.partition(".")
    return Position(int(transaction), int(at))


async def position_now(connection: Connection) -> Position:
    """What is read after this has everything that was announced before it."""
    return parse_position(await connection.fetchval(f"SELECT {HERE}"))
