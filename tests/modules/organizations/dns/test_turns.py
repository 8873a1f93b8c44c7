"""Turns, by what the database granted: its own clock says when, whatever the machine is busy with meanwhile."""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import asyncpg
import pytest

from tests.modules.organizations.dns.cases import DOMAINS, settings_for
from tests.modules.organizations.dns.servers.cloudflare import TOKEN, Cloudflare, cloudflare
from tests.support.pipeline import Owner
from tidings.kit import db
from tidings.kit.db import Pool
from tidings.kit.settings import Settings
from tidings.modules.organizations.dns.cloudflare import BUCKET
from tidings.modules.organizations.dns.opening import open_dns
from tidings.modules.organizations.dns.port import DnsFailed, NoTurn
from tidings.modules.organizations.dns.turns import APART, Turns
from tidings.spine.access.limiter import Allowance, Limiter

ROOT = Path(__file__).parents[4]
QUICK = timedelta(milliseconds=20)
SECOND = timedelta(seconds=1)
LONG = timedelta(minutes=1)


@pytest.fixture
async def recorded(owner: Owner) -> Owner:
    """The database notes each turn that it grants, whoever takes it: when the bucket is empty again after it."""
    await owner.execute(
        """
        CREATE TABLE public.granted (bucket text, empty_at timestamptz);
        CREATE FUNCTION public.note_granted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
            INSERT INTO public.granted VALUES (NEW.bucket, NEW.empty_at);
            RETURN NULL;
        END $$;
        CREATE TRIGGER note AFTER INSERT OR UPDATE ON tidings.rate_limits
            FOR EACH ROW EXECUTE FUNCTION public.note_granted();
        """
    )
    return owner


async def granted(owner: Owner, apart: timedelta) -> list[datetime]:
    """When each turn was granted: a bucket of one is empty again one period later."""
    rows = await owner.fetch("SELECT empty_at FROM public.granted ORDER BY empty_at")
    return [row["empty_at"] - apart for row in rows]


async def asking(server: Cloudflare, database_url: str, times: int) -> asyncio.subprocess.Process:
    told = {
        "TIDINGS_DATABASE_URL": database_url,
        "TIDINGS_DNS_PROVIDER": "cloudflare",
        "TIDINGS_DNS_TOKEN": TOKEN,
        "TIDINGS_DNS_URL": server.url,
    }
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.modules.organizations.dns.asking", DOMAINS[0], str(times)),
        cwd=ROOT,
        env={**os.environ, **told},
    )


async def test_never_more_than_four_in_any_second_from_processes_and_pools(
    database_url: str, settings: Settings, pool: Pool, recorded: Owner
) -> None:
    async with cloudflare(DOMAINS) as server:
        processes = [await asking(server, database_url, 6) for _ in range(2)]
        here = [open_dns(settings_for(server), pool) for _ in range(2)]
        await asyncio.gather(*(dns.zone(DOMAINS[0]) for dns in here for _ in range(3)))
        assert [await process.wait() for process in processes] == [0, 0]
        for dns in here:
            await dns.close()
    at = await granted(recorded, APART)
    assert len(at) == len(server.ledger) == 6 + 6 + 3 + 3
    assert max(len([turn for turn in at if start <= turn < start + SECOND]) for start in at) <= 4
    assert min(later - earlier for earlier, later in pairwise(at)) >= APART


async def test_two_pools_share_their_turns(settings: Settings, pool: Pool, recorded: Owner) -> None:
    other = await db.open_pool(settings.database, db.Role.WORKER, name="other", size=2)
    turns = [Turns(Limiter(each), "b", QUICK, LONG) for each in (pool, other)]
    await asyncio.gather(*(each.take() for each in turns for _ in range(20)))
    await other.close()
    at = await granted(recorded, QUICK)
    assert len(at) == 40
    assert min(later - earlier for earlier, later in pairwise(at)) >= QUICK


class Counting(Limiter):
    """Counts how often the database is asked."""

    asked: int = 0

    async def take(self, bucket: str, limit: int, period: timedelta) -> Allowance:
        object.__setattr__(self, "asked", self.asked + 1)
        return await super().take(bucket, limit, period)


async def test_only_the_first_in_the_line_asks_and_sleeps_until_it_is_worth_asking(pool: Pool) -> None:
    limiter = Counting(pool)
    turns = Turns(limiter, "b", QUICK, LONG)
    await asyncio.gather(*(turns.take() for _ in range(20)))
    assert 20 <= limiter.asked <= 3 * 20


async def test_turns_go_by_the_order_of_asking(pool: Pool) -> None:
    turns = Turns(Limiter(pool), "b", QUICK, LONG)
    came = []

    async def take(n: int) -> None:
        await turns.take()
        came.append(n)

    await asyncio.gather(*(take(n) for n in range(10)))
    assert came == list(range(10))


async def test_who_gives_up_waiting_holds_up_nobody(pool: Pool) -> None:
    turns = Turns(Limiter(pool), "b", QUICK, LONG)
    waiting = [asyncio.create_task(turns.take()) for _ in range(5)]
    await asyncio.sleep(0)
    for each in waiting[:3]:
        each.cancel()
    came = await asyncio.gather(*waiting, return_exceptions=True)
    assert [isinstance(each, asyncio.CancelledError) for each in came] == [True, True, True, False, False]


async def test_a_wait_that_is_too_long_is_no_answer_of_the_provider(pool: Pool) -> None:
    await Limiter(pool).take("b", 1, timedelta(hours=1))
    turns = Turns(Limiter(pool), "b", APART, timedelta(milliseconds=50))
    came = await asyncio.gather(*(turns.take() for _ in range(3)), return_exceptions=True)
    assert [type(each) for each in came] == [NoTurn] * 3
    assert isinstance(came[0], DnsFailed)
    assert came[0].retry_after == APART


async def test_a_database_that_is_away_is_nothing_of_the_providers(settings: Settings) -> None:
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="closed", size=2)
    await pool.close()
    async with cloudflare(DOMAINS) as server:
        dns = open_dns(settings_for(server), pool)
        with pytest.raises(asyncpg.InterfaceError):
            await dns.zone(DOMAINS[0])
        await dns.close()
    assert server.ledger == []


async def test_turns_are_those_of_the_token(pool: Pool, recorded: Owner) -> None:
    async with cloudflare(DOMAINS) as server:
        dns = open_dns(settings_for(server), pool)
        await dns.zone(DOMAINS[0])
        await dns.zone(DOMAINS[1])
        await dns.close()
    assert {row["bucket"] for row in await recorded.fetch("SELECT bucket FROM public.granted")} == {BUCKET}
