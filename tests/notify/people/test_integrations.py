"""Integrations: names and places that the database settles, and what turning one off and on does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import asyncpg
import pytest

from tests.support.pipeline import Owner, add_person, add_url
from tests.support.routing import add_integration, integrations_at
from tidings.kit.errors import Conflict, NotFound
from tidings.kit.settings import Settings
from tidings.spine.notify.people.address_book import AddressBook
from tidings.spine.notify.people.addresses import Kind, NewAddress, new_address
from tidings.spine.notify.people.integrations import (
    MOST,
    TURNED_OFF,
    Changes,
    Integrations,
    checked_tags,
    integration_name,
)
from tidings.spine.notify.people.urls import not_called


def leads_to(topic: str) -> NewAddress:
    return new_address(Kind.APPRISE, f"ntfys://ntfy.sh/{topic}", not_called)


@pytest.fixture
async def mine(owner: Owner, sending: Settings) -> Integrations:
    return await integrations_at(owner, sending)


@pytest.fixture
async def me(owner: Owner) -> UUID:
    return await add_person(owner)


@pytest.fixture
async def connections(database_url: str) -> AsyncIterator[list[Owner]]:
    opened = [await asyncpg.connect(database_url) for _ in range(8)]
    yield opened
    for connection in opened:
        await connection.close()


async def test_one_is_kept_sealed_and_shows_where_it_leads_and_no_more(
    owner: Owner, mine: Integrations, me: UUID
) -> None:
    made = await mine.create(me, "Phone", leads_to("secret-topic"), ["urgent"])
    assert (made.name, made.leads_to, made.tags, made.active) == ("Phone", "ntfys://…", ("urgent",), True)
    assert await mine.get(me, made.id) == made
    row = await owner.fetchrow("SELECT sealed, value FROM tidings.addresses WHERE id = $1", made.id)
    assert row is not None
    assert b"secret-topic" not in row["sealed"]
    assert json.loads(mine.vault.open(row["sealed"], "default")) == {"url": "ntfys://ntfy.sh/secret-topic"}


async def test_names_are_one_persons_own_whatever_their_case(owner: Owner, mine: Integrations, me: UUID) -> None:
    await mine.create(me, "Büro", leads_to("one"))
    second = await mine.create(await add_person(owner, "other"), "BÜRO", leads_to("one"))
    with pytest.raises(Conflict, match="of this name"):
        await mine.create(me, "BÜRO", leads_to("two"))
    third = await mine.create(me, "Phone", leads_to("two"))
    with pytest.raises(Conflict, match="of this name"):
        await mine.change(me, third.id, Changes(name="büro"))
    with pytest.raises(Conflict, match="this URL"):
        await mine.create(me, "Another", leads_to("two"))
    with pytest.raises(Conflict, match="this URL"):
        await mine.change(me, third.id, Changes(address=leads_to("one")))
    assert (await mine.change(me, third.id, Changes(name="PHONE"))).name == "PHONE"
    assert second.name == "BÜRO"


async def test_of_eight_who_take_a_name_at_once_one_has_it(
    connections: list[Owner], sending: Settings, me: UUID
) -> None:
    async def take(n: int, connection: Owner) -> bool:
        try:
            mine = await integrations_at(connection, sending)
            async with connection.transaction():
                await mine.create(me, "Phone", leads_to(str(n)))
        except Conflict:
            return False
        return True

    taken = await asyncio.gather(*(take(n, connection) for n, connection in enumerate(connections)))
    assert sorted(taken) == [False] * 7 + [True]


async def test_of_eight_who_take_the_last_place_at_once_one_has_it(
    connections: list[Owner], owner: Owner, mine: Integrations, sending: Settings, me: UUID
) -> None:
    for n in range(MOST - 1):
        await mine.create(me, f"Number {n}", leads_to(f"topic-{n}"))

    async def take(n: int, connection: Owner) -> str | None:
        another = await integrations_at(connection, sending)
        try:
            async with connection.transaction():
                await another.create(me, f"Last {n}", leads_to(f"last-{n}"))
        except Conflict as error:
            return error.detail
        return None

    refused = await asyncio.gather(*(take(n, connection) for n, connection in enumerate(connections)))
    assert sorted(refused, key=str) == [None] + [f"You have {MOST} integrations; remove one first."] * 7
    assert await owner.fetchval("SELECT count(*) FROM tidings.addresses WHERE name IS NOT NULL") == MOST


async def test_turned_off_it_says_so_and_turned_on_it_has_never_failed(
    owner: Owner, mine: Integrations, me: UUID
) -> None:
    made = await mine.create(me, "Phone", leads_to("one"))
    off = await mine.change(me, made.id, Changes(active=False))
    assert (off.active, off.disabled_reason) == (False, TURNED_OFF)
    assert await mine.change(me, made.id, Changes(active=False)) == off
    assert (await mine.change(me, made.id, Changes(tags=["a"], address=leads_to("two")))).active is False
    on = await mine.change(me, made.id, Changes(active=True))
    assert (on.active, on.disabled_reason, on.tags) == (True, None, ("a",))


async def test_another_url_is_used_though_the_one_before_it_was_gone(
    owner: Owner, mine: Integrations, me: UUID
) -> None:
    made = await mine.create(me, "Phone", leads_to("one"))
    await owner.execute("UPDATE tidings.addresses SET disabled_at = now(), disabled_reason = 'gone'")
    same = await mine.change(me, made.id, Changes(name="Mine", address=leads_to("one")))
    assert (same.active, same.disabled_reason) == (False, "gone")
    assert (await mine.change(me, made.id, Changes(address=leads_to("two")))).active is True


async def test_what_is_somebody_elses_is_not_there(owner: Owner, sending: Settings, mine: Integrations) -> None:
    me, other = await add_person(owner), await add_person(owner, "other")
    theirs = await add_integration(owner, sending, other, "phone")
    plain = await add_url(owner, sending, me, "apprise", "ntfys://ntfy.sh/plain")
    before = await mine.get(other, theirs)
    for id in (theirs, plain, uuid4()):  # noqa: A001
        with pytest.raises(NotFound):
            await mine.get(me, id)
        with pytest.raises(NotFound):
            await mine.change(me, id, Changes(name="mine", active=False))
        with pytest.raises(NotFound):
            await mine.remove(me, id)
    assert (await mine.list(me, None, 10)).items == []
    assert await mine.get(other, theirs) == before


async def test_pages_go_from_the_newest_to_the_oldest(mine: Integrations, me: UUID) -> None:
    made = [(await mine.create(me, f"Number {n}", leads_to(str(n)))).id for n in range(5)]
    first = await mine.list(me, None, 3)
    second = await mine.list(me, UUID(first.next_position), 3)
    assert [each.id for each in (*first.items, *second.items)] == made[::-1]
    assert second.next_position is None


async def test_an_address_without_a_name_becomes_an_integration_by_its_url(
    owner: Owner, mine: Integrations, me: UUID
) -> None:
    book = AddressBook(owner, "default", mine.vault)
    address, _ = await book.add(me, leads_to("one"))
    assert (await mine.create(me, "Phone", leads_to("one"), ["a"])).id == address.id
    ((shown,),) = (await book.of([me])).values()
    assert (shown.id, shown.name, shown.tags) == (address.id, "Phone", ("a",))


async def test_who_sets_a_persons_addresses_leaves_their_integrations_alone(
    owner: Owner, mine: Integrations, me: UUID
) -> None:
    await mine.create(me, "Phone", leads_to("one"))
    book = AddressBook(owner, "default", mine.vault)
    await book.set(me, {Kind.APPRISE: [leads_to("two")]})
    await book.set(me, {Kind.APPRISE: [leads_to("three")]})
    ((one, three),) = (await book.of([me])).values()
    assert (one.name, three.name) == ("Phone", None)


async def test_nobody_has_no_integrations(mine: Integrations) -> None:
    with pytest.raises(NotFound):
        await mine.create(uuid4(), "Phone", leads_to("one"))


def test_tags_are_lower_case_and_each_once() -> None:
    assert checked_tags(["Urgent", "home:2", "urgent"]) == ("home:2", "urgent")
    for wrong in ("", "a b", "-a", "x" * 51, "ü", "a\n"):
        with pytest.raises(ValueError, match="letters"):
            checked_tags([wrong])
    with pytest.raises(ValueError, match="20 or fewer"):
        checked_tags([f"t{n}" for n in range(21)])


@pytest.mark.parametrize("wrong", ["", "  ", "a\nb", "\u202e", "x" * 101, "a\x00"])
def test_a_name_is_one_line_that_can_be_seen(wrong: str) -> None:
    with pytest.raises(ValueError, match="must"):
        integration_name(wrong)
