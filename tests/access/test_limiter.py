"""The limiter: one statement, the same answer on every process."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from tidings.kit.db import Pool
from tidings.kit.errors import RateLimited
from tidings.spine.access.limiter import Limiter

HOUR = timedelta(hours=1)


async def test_no_more_than_the_limit_however_many_at_once(pool: Pool) -> None:
    taken = await asyncio.gather(*(Limiter(pool).take("b", 7, HOUR) for _ in range(50)))
    allowed = [allowance for allowance in taken if allowance.allowed]
    assert sorted(allowance.remaining for allowance in allowed) == list(range(7))
    refused = next(allowance for allowance in taken if not allowance.allowed)
    assert (refused.remaining, refused.limit) == (0, 7)
    with pytest.raises(RateLimited) as error:
        refused.require()
    assert 0 < error.value.extra["retry_after"] <= 3600 / 7 + 1


async def test_buckets_are_apart(pool: Pool) -> None:
    assert (await Limiter(pool).take("a", 1, HOUR)).allowed
    assert (await Limiter(pool).take("b", 1, HOUR)).allowed
    assert not (await Limiter(pool).take("a", 1, HOUR)).allowed


async def test_what_has_passed_comes_back(pool: Pool) -> None:
    limiter = Limiter(pool)
    for _ in range(4):
        await limiter.take("b", 4, HOUR)
    await pool.execute("UPDATE tidings.rate_limits SET empty_at = empty_at - interval '30 minutes'")
    assert [(await limiter.take("b", 4, HOUR)).allowed for _ in range(3)] == [True, True, False]


async def test_more_at_once_than_the_limit_is_never_allowed(pool: Pool) -> None:
    row = await pool.fetchrow("SELECT * FROM tidings.take('b', 5, '1 hour', 6)")
    assert row is not None
    assert (row["allowed"], row["remaining"]) == (False, 5)
    assert await pool.fetchval("SELECT allowed FROM tidings.take('b', 5, '1 hour', 5)")
