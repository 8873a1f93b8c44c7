"""One limiter in PostgreSQL for every process: the same answer everywhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta

from tidings.kit.db import Connection, Pool
from tidings.kit.errors import RateLimited


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much of a rate is left. `reset_after` is when it is whole again or, where nothing is left, when to retry."""

    allowed: bool
    limit: int
    remaining: int
    reset_after: timedelta

    @property
    def reset_seconds(self) -> int:
        return max(0 if self.allowed else 1, math.ceil(self.reset_after.total_seconds()))

    def require(self) -> None:
        if not self.allowed:
            raise RateLimited(retry_after=self.reset_seconds)


@dataclass(frozen=True)
class Limiter:
    """Takes from buckets that refill evenly: `limit` in a `period`, all at once or spread.

    Who holds a connection takes by that one: with two for each request, a pool has none left for anybody. In a
    transaction, others who take from the same bucket wait for its end.
    """

    pool: Pool | Connection

    async def take(self, bucket: str, limit: int, period: timedelta) -> Allowance:
        row = await self.pool.fetchrow("SELECT * FROM tidings.take($1, $2, $3)", bucket, limit, period)
        assert row is not None
        return Allowance(row["allowed"], limit, row["remaining"], row["reset_after"])
