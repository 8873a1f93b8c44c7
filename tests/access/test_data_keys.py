"""Data keys: made once, opened by the master key that is set and by no other, kept while that one is changed."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import asyncpg
import pytest
from pydantic import SecretStr

from tests.api.world import api_settings, running
from tidings.kit import db
from tidings.kit.crypto import DataKeys, Key, Keyring, Locked, new_key, open_keyring
from tidings.kit.errors import Conflict, Misconfigured
from tidings.kit.settings import DatabaseSettings, Settings
from tidings.spine.access.data_keys import staying_unlocked, unlock, unlocked
from tidings.spine.access.keys import ApiKeys
from tidings.spine.access.master_keys import MasterKeys
from tidings.spine.access.people import Users
from tidings.spine.access.purposes import API_KEYS

AT_ONCE = timedelta(0)


def with_key(settings: Settings, key: Key) -> Settings:
    return settings.model_copy(update={"master_key": SecretStr(key.text())})


@pytest.fixture
def keyed(settings: Settings) -> Settings:
    return with_key(settings, new_key())


async def test_of_many_who_come_first_all_have_the_same_keys(keyed: Settings, pool: db.Pool) -> None:
    rings = await asyncio.gather(*(unlocked(keyed, pool) for _ in range(10)))
    sealed = rings[0].vault("test").seal(b"value")
    assert all(ring.vault("test").open(sealed) == b"value" for ring in rings)
    assert len({ring.hasher("test").hash("token") for ring in rings}) == 1
    assert await pool.fetchval("SELECT count(*) FROM tidings.data_keys") == 2


@pytest.mark.usefixtures("any_postgres")
async def test_the_api_reads_them_and_cannot_change_them(keyed: Settings, pool: db.Pool) -> None:
    api = await db.open_pool(keyed.database, db.Role.API, name="test", size=1)
    async with api:
        ring = await unlocked(keyed, api)
        for statement in ("DELETE FROM tidings.data_keys", "UPDATE tidings.data_keys SET wrapped = ''"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await api.execute(statement)
    assert (await unlocked(keyed, pool)).held == ring.held


async def test_another_master_key_is_refused_and_named(keyed: Settings, pool: db.Pool) -> None:
    right = await unlocked(keyed, pool)
    other = new_key()
    with pytest.raises(Misconfigured, match=f"{other.id.hex()} is set, and it has {right.master.id.hex()}"):
        await unlocked(with_key(keyed, other), pool)


async def test_both_master_keys_open_the_same_until_the_change_is_finished(keyed: Settings, pool: db.Pool) -> None:
    before, new = await unlocked(keyed, pool), new_key()
    async with pool.acquire() as connection, connection.transaction():
        await MasterKeys(connection, before).add(new)
    during = await unlocked(with_key(keyed, new), pool)
    assert during.held == before.held == (await unlocked(keyed, pool)).held
    async with pool.acquire() as connection, connection.transaction():
        with pytest.raises(Conflict, match="rotate --finish"):
            await MasterKeys(connection, during).add(new_key())
        assert await MasterKeys(connection, during).keep_only_this()
        assert not await MasterKeys(connection, during).keep_only_this()
    assert (await unlocked(with_key(keyed, new), pool)).held == before.held
    with pytest.raises(Misconfigured):
        await unlocked(keyed, pool)


async def test_a_new_data_key_opens_at_once_and_seals_when_its_time_has_come(keyed: Settings, pool: db.Pool) -> None:
    ring = await unlocked(keyed, pool)
    (first,) = ring.data.sealing
    async with pool.acquire() as connection, connection.transaction():
        waiting = await MasterKeys(connection, ring).renew(timedelta(hours=1))
    await unlock(ring, pool)
    assert list(ring.data.sealing) == [first, waiting]
    async with pool.acquire() as connection, connection.transaction():
        sealing = await MasterKeys(connection, ring).renew(AT_ONCE)
    await unlock(ring, pool)
    assert list(ring.data.sealing) == [sealing, first, waiting]


async def test_what_was_hashed_before_there_were_data_keys_is_found_still(keyed: Settings, pool: db.Pool) -> None:
    master = open_keyring(keyed).master
    then = Keyring(master, DataKeys(master, (master,))).hasher(API_KEYS)
    async with pool.acquire() as connection:
        user = await Users(connection).create("jo@example.com", "Jo", None, operator=True)
        made = await ApiKeys(connection, "default").make(then, user, "old", ["facts:read"], None)
    hashed = (await unlocked(keyed, pool)).hasher(API_KEYS).hash(made.secret)
    assert await pool.fetchval("SELECT hash FROM tidings.api_keys") == hashed


async def test_while_the_database_is_away_the_ring_is_locked_and_opens_when_it_is_back(
    keyed: Settings, pool: db.Pool, unused_tcp_port: int
) -> None:
    away = await db.open_pool(
        DatabaseSettings(url=f"postgresql://postgres@127.0.0.1:{unused_tcp_port}/x"), db.Role.API, name="test", size=1
    )
    ring = Keyring(new_key())
    async with away, staying_unlocked(ring, away):
        with pytest.raises(Locked):
            ring.hasher("test").hash("token")
    async with staying_unlocked(ring, pool):
        assert ring.hasher("test").hash("token")


async def test_an_api_with_another_master_key_is_not_ready_and_lets_nobody_in(keyed: Settings, pool: db.Pool) -> None:
    await unlocked(keyed, pool)
    assert keyed.database.url
    async with running(api_settings(keyed.database.url)) as client:
        ready = await client.get("/readyz")
        assert (ready.status, "data keys are not open" in ready.text) == (503, True)
        assert (await client.acting("tdk_" + "A" * 43).get("/v1/facts")).status == 503
