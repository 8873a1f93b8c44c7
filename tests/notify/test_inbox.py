"""The inbox of one person: listing, counting, changing; and what is announced of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

import asyncpg
import pytest

from tests.notify.telling import add_person, told
from tidings.kit import db
from tidings.kit.errors import NotFound
from tidings.kit.settings import Settings
from tidings.spine.access.people import Tenants
from tidings.spine.notify.announcing import CHANNEL, LARGEST, Announcement, Change, announce, heard, payloads
from tidings.spine.notify.inbox import NAMED, Inbox, InboxFilter
from tidings.spine.notify.position import TOLD_AGAIN, Position, parse_position, position_now

ALL = InboxFilter()
HERE = "7.1700000000"


@pytest.fixture
async def inbox(pool: db.Pool) -> AsyncIterator[Inbox]:
    async with pool.acquire() as connection:
        for tenant in ("acme", "globex"):
            await Tenants(connection).create(tenant, tenant.title())
        yield Inbox(connection, "acme", await add_person(connection))


async def titles(inbox: Inbox, wanted: InboxFilter = ALL) -> list[str]:
    return [notification.title for notification in (await inbox.list(wanted, None, 100)).items]


async def tell(inbox: Inbox, *told_titles: str, level: str = "info", category: str = "orders") -> list[UUID]:
    ids = []
    for title in told_titles:
        ids += await told(inbox.connection, [inbox.person_id], title, level=level, category=category)
    return ids


async def test_newest_first_page_by_page(inbox: Inbox) -> None:
    ids = await tell(inbox, "a", "b", "c")
    first = await inbox.list(ALL, None, 2)
    assert [n.id for n in first.items] == [ids[2], ids[1]]
    second = await inbox.list(ALL, UUID(first.next_position), 2)
    assert ([n.id for n in second.items], second.next_position) == ([ids[0]], None)


async def test_filters_narrow_the_list(inbox: Inbox) -> None:
    (read, away) = await tell(inbox, "read", "away")
    await tell(inbox, "grave", level="critical")
    await tell(inbox, "bill", category="billing")
    await inbox.read([read])
    await inbox.archive([away])
    assert await titles(inbox) == ["bill", "grave", "read"]
    assert await titles(inbox, InboxFilter(unread=True)) == ["bill", "grave"]
    assert await titles(inbox, InboxFilter(unread=False)) == ["read"]
    assert await titles(inbox, InboxFilter(archived=True)) == ["away"]
    assert await titles(inbox, InboxFilter(level="critical")) == ["grave"]
    assert await titles(inbox, InboxFilter(category="billing")) == ["bill"]


async def test_a_change_made_twice_is_the_change_made_once(inbox: Inbox) -> None:
    (given, _) = await tell(inbox, "a", "b")
    assert await inbox.unread() == 2
    await inbox.read([given])
    first = await inbox.get(given)
    await inbox.read([given])
    assert (await inbox.get(given), await inbox.unread()) == (first, 1)
    await inbox.archive([given])
    away = await inbox.get(given)
    await inbox.archive([given])
    assert await inbox.get(given) == away
    for _ in range(2):
        await inbox.unarchive([given])
        await inbox.unread_again([given])
    again = await inbox.get(given)
    assert (again.read_at, again.archived_at, await inbox.unread()) == (None, None, 2)


async def test_reading_all_stops_at_the_newest_that_was_seen(inbox: Inbox) -> None:
    ids = await tell(inbox, "a", "b", "c")
    assert await inbox.read_all(ids[1]) == 2
    assert await titles(inbox, InboxFilter(unread=True)) == ["c"]
    assert await inbox.read_all() == 1
    assert await inbox.read_all() == 0


async def test_what_is_put_away_is_not_counted_nor_read_with_all(inbox: Inbox) -> None:
    (given,) = await tell(inbox, "a")
    await inbox.archive([given])
    assert (await inbox.unread(), await inbox.read_all()) == (0, 0)
    assert (await inbox.get(given)).read_at is None


async def test_another_persons_notifications_are_not_there(inbox: Inbox) -> None:
    other = Inbox(inbox.connection, "acme", await add_person(inbox.connection))
    elsewhere = Inbox(inbox.connection, "globex", inbox.person_id)
    (given,) = await tell(inbox, "mine")
    for stranger in (other, elsewhere):
        await stranger.read([given])
        assert await stranger.read_all() == 0
        assert (await titles(stranger), await stranger.unread()) == ([], 0)
        with pytest.raises(NotFound):
            await stranger.get(given)
    assert (await inbox.get(given)).read_at is None


@asynccontextmanager
async def announced(settings: Settings) -> AsyncIterator[list[Announcement]]:
    """What is announced meanwhile; complete when left."""
    said: list[Announcement] = []
    listener = await asyncpg.connect(settings.database.url)
    await listener.add_listener(CHANNEL, lambda *heard_: said.extend(heard(str(heard_[3]))))
    yield said
    await listener.execute("SELECT 1")
    await asyncio.sleep(0)
    await listener.close()


async def test_changes_are_announced_and_what_changes_nothing_is_not(inbox: Inbox, settings: Settings) -> None:
    (given,) = await tell(inbox, "a")
    async with announced(settings) as said:
        for _ in range(2):
            await inbox.read([given])
            await inbox.archive([given])
        await inbox.unarchive([given])
        await inbox.unread_again([given])
        await inbox.read_all()
    changes = (Change.READ, Change.ARCHIVED, Change.UNARCHIVED, Change.UNREAD, Change.READ)
    assert said == [
        Announcement("acme", inbox.person_id, change, (given,), each.position)
        for change, each in zip(changes, said, strict=True)
    ]


async def test_more_than_can_be_named_is_announced_without_names(inbox: Inbox, settings: Settings) -> None:
    await tell(inbox, *["many"] * (NAMED + 1))
    async with announced(settings) as said:
        assert await inbox.read_all() == NAMED + 1
    assert [(each.change, each.ids) for each in said] == [(Change.READ, ())]


async def test_a_rolled_back_change_is_not_announced(inbox: Inbox, settings: Settings) -> None:
    (given,) = await tell(inbox, "a")
    async with announced(settings) as said:
        transaction = inbox.connection.transaction()
        await transaction.start()
        await inbox.read([given])
        await transaction.rollback()
    assert said == []


async def test_hundreds_are_announced_in_one_statement_and_none_is_left_out(pool: db.Pool, settings: Settings) -> None:
    items = {(uuid4(), uuid4()) for _ in range(700)}
    async with announced(settings) as said, pool.acquire() as connection:
        await announce(connection, "acme", list(items))
    assert {(a.person_id, given) for a in said for given in a.ids} == items


@pytest.mark.parametrize(("people", "each"), [(1, 0), (1, 1), (1, 1000), (300, 1), (3, 300), (50, 7)])
def test_every_announcement_is_below_the_limit(people: int, each: int) -> None:
    wanted = {uuid4(): [uuid4() for _ in range(each)] for _ in range(people)}
    texts = list(payloads("t" * 63, Change.UNARCHIVED, wanted.items()))
    assert max(len(text.encode()) for text in texts) <= LARGEST
    said: dict[UUID, list[UUID]] = {}
    for announcement in (announcement for text in texts for announcement in heard(f"{HERE} {text}")):
        said.setdefault(announcement.person_id, []).extend(announcement.ids)
    assert said == wanted


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "{",
        "[]",
        "7",
        "null",
        "[" * 5000,
        '{"tenant":"a"}',
        '{"tenant":"a","change":"eaten","people":[]}',
        '{"tenant":"a","change":"new","people":[["x",["y"]]]}',
        '{"tenant":"a","change":"new","people":7}',
    ],
)
def test_what_is_no_announcement_says_nothing(payload: str) -> None:
    assert heard(payload) == []
    assert heard(f"{HERE} {payload}") == []


def test_an_announcement_without_a_position_says_nothing() -> None:
    (text,) = payloads("acme", Change.NEW, [(uuid4(), [uuid4()])])
    assert heard(f"{HERE} {text}")
    for wrong in ("", "7", "7.", ".7", "-7.7", "7.7.7", "٧.٧", "1" * 20 + ".7"):
        assert heard(f"{wrong} {text}") == [], wrong


async def missed(inbox: Inbox, since: Position) -> list[UUID]:
    found = await inbox.announced_since(since, 100)
    assert found is not None
    return [notification.id for notification in found.new]


async def test_what_was_announced_since_a_position_is_there_whenever_it_was_made(inbox: Inbox) -> None:
    made_before, announced_before = await tell(inbox, "long ago", "told")
    await announce(inbox.connection, "acme", [(inbox.person_id, announced_before)])
    since = await position_now(inbox.connection)
    (made_since,) = await tell(inbox, "new")
    assert await missed(inbox, since) == []
    for _ in range(2):
        await announce(inbox.connection, "acme", [(inbox.person_id, made_before)])
    await announce(inbox.connection, "acme", [(inbox.person_id, made_since), (uuid4(), uuid4())])
    assert await missed(inbox, since) == [made_before, made_since]


async def test_what_was_announced_by_a_transaction_that_was_open_then_is_there(inbox: Inbox, pool: db.Pool) -> None:
    (late,) = await tell(inbox, "late")
    async with pool.acquire() as slow, slow.transaction():
        await announce(slow, "acme", [(inbox.person_id, late)])
        (soon,) = await tell(inbox, "soon")
        await announce(inbox.connection, "acme", [(inbox.person_id, soon)])
        since = await position_now(inbox.connection)
        assert await missed(inbox, since) == [soon]  # once more: it is not older than one that has not ended
    assert await missed(inbox, since) == [late, soon]
    assert await missed(inbox, await position_now(inbox.connection)) == []


def test_a_position_of_long_ago_or_of_another_database_is_not_reached() -> None:
    day, here = int(TOLD_AGAIN.total_seconds()), Position(100, 1_700_000_000)
    assert parse_position(str(here)) == here
    assert here.reaches_back_to(here)
    assert here.reaches_back_to(Position(3, here.at - day))
    assert not here.reaches_back_to(Position(3, here.at - day - 1))
    assert not here.reaches_back_to(Position(101, here.at))
