"""What moves: how much of each was recorded since somebody looked last. Asked for each second while anybody watches.

Rows become visible when they commit, later than the time they bear. So each look counts the last seconds again, second
by second, and what a second has more than before is new.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tidings.kit.db import Connection
from tidings.spine.delivery.overview.planning import by_index
from tidings.spine.delivery.overview.standing import MOST_KINDS, STANDING, Standing, standing_in
from tidings.spine.outbox.intent_records import TENANTS_OWN

MOVING = ("facts", "sent", "skipped", "failed", "dead")
WINDOW = timedelta(seconds=10)
"""How late something may commit and still be told."""
_SECOND = "floor(date_part('epoch', {}))::bigint"
_NEVER, _BEYOND = datetime(9999, 1, 1, tzinfo=UTC), 2**63 - 1

# A fact that was recorded after a look has a higher number than any that was seen then: `$2` is such a number, and `$3`
# a time that is not before that look.
_MOVED = f"""
WITH RECURSIVE buried AS (
    (SELECT kind, 1 AS n FROM tidings.outbox_finished WHERE tenant = $1 AND status = 'dead' ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT f.kind FROM tidings.outbox_finished f WHERE f.tenant = $1 AND f.status = 'dead' AND f.kind > b.kind
            ORDER BY f.kind LIMIT 1), n + 1
    FROM buried b WHERE b.kind IS NOT NULL AND n < {MOST_KINDS}
)
SELECT 'facts' AS what, {_SECOND.format("occurred_at")} AS second, count(*) AS amount
FROM tidings.facts WHERE tenant = $1 AND seq > $2 AND occurred_at >= $3 GROUP BY 2
UNION ALL
SELECT what, second, amount FROM tidings.ended_since($3)
UNION ALL
SELECT 'dead', {_SECOND.format("d.finished_at")}, count(*)
FROM (SELECT kind FROM buried WHERE {TENANTS_OWN}) b CROSS JOIN LATERAL (
    SELECT f.finished_at FROM tidings.outbox_finished f
    WHERE f.tenant = $1 AND f.kind = b.kind AND f.status = 'dead' AND f.finished_at >= $3 OFFSET 0) d GROUP BY 2
"""
LOOK = f"""
WITH moved AS MATERIALIZED ({_MOVED})
SELECT s.*, coalesce((SELECT max(seq) FROM tidings.facts WHERE tenant = $1), 0) AS newest,
    ARRAY(SELECT what FROM moved ORDER BY what, second) AS whats,
    ARRAY(SELECT second FROM moved ORDER BY what, second) AS seconds,
    ARRAY(SELECT amount FROM moved ORDER BY what, second) AS amounts
FROM ({STANDING}) s
"""


@dataclass(frozen=True)
class Beat:
    """How it stands, and how many of each are new since the last one."""

    standing: Standing
    moved: Mapping[str, int]

    @property
    def at_rest(self) -> bool:
        return not any(self.moved.values())


@dataclass
class Movement:
    """Of one tenant, from the first look on. What began before that look is not told of."""

    tenant: str
    since: datetime | None = None
    marks: list[tuple[datetime, int]] = field(default_factory=list)
    known: dict[tuple[str, int], int] = field(default_factory=dict)

    async def look(self, connection: Connection) -> Beat:
        """One statement, in a transaction that sees the tenant; what it reads is in proportion to what happened in the
        last seconds."""
        since, bound = self._bound()
        async with by_index(connection):
            row = await connection.fetchrow(LOOK, self.tenant, bound, since)
        assert row is not None
        standing = standing_in(row)
        counted = dict(zip(zip(row["whats"], row["seconds"], strict=True), row["amounts"], strict=True))
        if self.since is None:
            self.since, counted = standing.at, {}
        self.marks.append((standing.at, row["newest"]))
        return Beat(standing, self._taken(counted))

    def _bound(self) -> tuple[datetime, int]:
        """Whole seconds, once the first look is further back than the window; and the last mark before them."""
        if self.since is None:
            return _NEVER, _BEYOND
        horizon = (self.marks[-1][0] - WINDOW).replace(microsecond=0)
        since = max(self.since, horizon)
        while len(self.marks) > 1 and self.marks[1][0] <= since:
            self.marks.pop(0)
        return since, self.marks[0][1]

    def _taken(self, counted: dict[tuple[str, int], Any]) -> Mapping[str, int]:
        moved = dict.fromkeys(MOVING, 0)
        for (what, second), amount in counted.items():
            moved[what] += max(0, amount - self.known.get((what, second), 0))
        self.known = counted
        return moved
