"""Everything at once: providers fail, are paused, removed and replaced while people retry, settle and close.

No delivery is lost or made twice, and every tally says what the rows say.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.delivery import post_office
from tests.delivery.post_office import NO_ANSWER, TENANT, Mailer, PostOffice
from tests.outbox.engines import Owner, eventually
from tidings.kit import db
from tidings.kit.errors import Conflict, NotFound
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.channels.port import Channel
from tidings.spine.delivery.administration import DeliveryAdministration, RetryFilter
from tidings.spine.delivery.expiring import expire_deliveries, fail_over_what_stands_still
from tidings.spine.delivery.notice_records import Notices
from tidings.spine.delivery.providers import NewProvider

pytestmark = pytest.mark.usefixtures("any_postgres")
PEOPLE, NOTICES, ACTIONS = 20, 10, 90


@pytest.fixture
async def restless(settings: Settings, pool: db.Pool, owner: Owner) -> PostOffice:
    """Circuits open and are tried again within moments."""
    pause = timedelta(milliseconds=20)
    quick = post_office.sending_settings(settings, circuit_pause=pause, circuit_longest=pause, max_attempts=3)
    return PostOffice(quick, pool, owner, await unlocked(quick, owner))


async def act(office: PostOffice, chance: random.Random, servers: list[Mailer]) -> None:
    """One thing that somebody does, in a transaction of its own."""
    async with office.pool.acquire() as connection, connection.transaction():
        providers = office.providers(connection=connection)
        administration = DeliveryAdministration(connection, TENANT)
        known = [p for p in await providers.list(Channel.EMAIL) if not p.built_in]
        match chance.randrange(8):
            case 0:
                await administration.retry_many(RetryFilter())
            case 1 if some := await chosen(connection, "tidings.deliveries", chance):
                await administration.retry(some)
            case 2 if some := await chosen(connection, "tidings.deliveries WHERE status = 'held'", chance):
                await administration.settle(some, "sent", "she has it", "somebody")
            case 3 if known:
                await providers.change(chance.choice(known).id, {"enabled": chance.random() < 0.7}, None, None)
            case 4 if len(known) > 1:
                await providers.remove(chance.choice(known).id)
            case 5 if len(known) < 4:
                config = chance.choice(servers).config
                limits: dict[str, Any] = {"on_unknown": chance.choice(["hold", "resend"]), "concurrency": 7}
                wanted = NewProvider(Channel.EMAIL, "resend", f"p{chance.random()}", config, limits)
                await providers.create(wanted)
            case 6:
                await fail_over_what_stands_still(connection)
                await expire_deliveries(connection)
            case _ if known:
                await providers.close(chance.choice(known).id)


async def chosen(connection: Any, where: str, chance: random.Random) -> UUID | None:
    rows = await connection.fetch(f"SELECT id FROM {where}")
    return chance.choice(rows)["id"] if rows else None


async def keep_acting(office: PostOffice, chance: random.Random, servers: list[Mailer]) -> None:
    for _ in range(ACTIONS // 3):
        with contextlib.suppress(Conflict, NotFound):
            await act(office, chance, servers)
        await asyncio.sleep(chance.random() * 0.02)


@pytest.mark.timeout(60)
async def test_nothing_is_lost_or_miscounted_whatever_people_do(
    restless: PostOffice, first: Mailer, second: Mailer
) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    for server in (first, second):
        server.answer = lambda key: chance.choice([200, 200, 200, 503, 422, NO_ANSWER])
    await restless.provider(first.config)
    await restless.people(PEOPLE)
    notices = [await restless.notice() for _ in range(NOTICES)]
    async with restless.worker(), restless.worker():
        await asyncio.gather(*(keep_acting(restless, chance, [first, second]) for _ in range(3)))
        await Notices(restless.owner, TENANT).close(notices[0], "handled")
        for server in (first, second):
            server.answer = lambda key: 200
        await restless.provider(second.config, "the last", priority=0)
        for provider in await restless.providers().list(Channel.EMAIL):
            await restless.providers().change(provider.id, {"enabled": True}, None, None)
            await restless.providers().close(provider.id)
        await restless.owner.execute(
            "UPDATE tidings.deliveries SET run_at = now() WHERE status IN ('pending', 'failed')"
        )

        async def quiet() -> bool:
            await fail_over_what_stands_still(restless.owner)
            for row in await restless.owner.fetch("SELECT id FROM tidings.deliveries WHERE status = 'held'"):
                await DeliveryAdministration(restless.owner, TENANT).retry(row["id"])
            return bool(await restless.owner.fetchval("SELECT count(*) = 0 FROM tidings.deliveries"))

        await eventually(quiet)
    for notice in notices:
        tally = await restless.tally(notice)
        assert tally == await restless.counted(notice)
        assert sum(tally.values()) == PEOPLE
    settled = "SELECT count(*), count(DISTINCT stream_id) FROM tidings.facts WHERE type = 'notice.settled'"
    assert tuple((await restless.owner.fetch(settled))[0]) == (NOTICES, NOTICES)
    made = {row["id"] for row in await restless.owner.fetch("SELECT id::text FROM tidings.deliveries_finished")}
    assert set(first.keys) | set(second.keys) <= made
