"""Sealing again with a newer data key: every column, in any state, beside those who use it."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from tests.access.test_data_keys import AT_ONCE
from tests.support.pipeline import (
    Owner,
    add_person,
    add_provider,
    add_rule,
    add_url,
    drain,
    emit,
    kept,
    sending_settings,
)
from tests.support.reporting import keep
from tidings.app.sealed import SEALED_COLUMNS, Resealed, Resealing, SealedColumn, count_by_key
from tidings.kit import db
from tidings.kit.crypto import Keyring
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlock, unlocked
from tidings.spine.access.idempotency import Replies, Reply
from tidings.spine.access.master_keys import MasterKeys
from tidings.spine.access.purposes import ADDRESSES, REPLIES

HASHES = {
    "api_keys.hash",
    "calendar_feeds.hash",
    "data_keys.id",
    "data_keys.wrapped",
    "data_keys.wrapped_by",
    "idempotency_keys.fingerprint",
    "sessions.hash",
    "sign_in_links.hash",
    "user_invitations_projection.former_hashes",
    "user_invitations_projection.token_hash",
}
MESSAGES = next(sealed for sealed in SEALED_COLUMNS if sealed.table == "sandbox_messages")


@pytest.fixture
def sending(database_url: str) -> Settings:
    return sending_settings(database_url)


async def renewed(pool: db.Pool, ring: Keyring) -> None:
    async with pool.acquire() as connection, connection.transaction():
        await MasterKeys(connection, ring).renew(AT_ONCE)
    await unlock(ring, pool)


async def counted(pool: db.Pool, sealed: SealedColumn) -> dict[bytes, int]:
    async with pool.acquire() as connection:
        return dict((await count_by_key(connection, sealed)).by_key)


async def test_every_column_of_bytes_is_known(owner: Owner) -> None:
    """A new one is either sealed, and sealed again with the others, or it is no secret."""
    rows = await owner.fetch(
        """SELECT table_name || '.' || column_name AS name FROM information_schema.columns
           WHERE table_schema = 'tidings' AND udt_name IN ('bytea', '_bytea')"""
    )
    assert {row["name"] for row in rows} == HASHES | {sealed.name for sealed in SEALED_COLUMNS}


async def test_everything_is_sealed_again_and_reads_the_same(owner: Owner, pool: db.Pool, sending: Settings) -> None:
    ring = await unlocked(sending, pool)
    await _something_in_every_column(owner, pool, sending, ring)
    before = {sealed.name: await counted(pool, sealed) for sealed in SEALED_COLUMNS}
    assert all(before.values())
    messages = await kept(owner, sending)
    await renewed(pool, ring)
    resealing = Resealing(pool, ring)
    for sealed in SEALED_COLUMNS:
        amount = sum(before[sealed.name].values())
        assert await resealing.column(sealed) == Resealed(amount, 0, 0)
        assert await counted(pool, sealed) == {ring.data.sealing[0].id: amount}
        assert await resealing.column(sealed) == Resealed(0, 0, 0)
    assert await kept(owner, sending) == messages
    async with pool.acquire() as connection:
        replies = Replies(connection, ring.vault(REPLIES), "default", "user:1")
        assert await replies.claim("key", b"print", timedelta(hours=1)) == Reply(201, b"reply")
    sealed_row = await pool.fetchval("SELECT sealed FROM tidings.addresses WHERE sealed IS NOT NULL")
    assert json.loads(ring.vault(ADDRESSES).open(sealed_row, "default"))["url"] == "https://example.com/hook"


async def test_a_large_table_is_counted_by_a_sample_and_said_to_be(owner: Owner, pool: db.Pool) -> None:
    await owner.execute(
        """INSERT INTO tidings.sandbox_messages (id, tenant, channel, sealed)
           SELECT gen_random_uuid(), 'default', 'email', decode('01aaaaaaaa', 'hex') || repeat('x', 200)::bytea
           FROM generate_series(1, 20000)"""
    )
    async with pool.acquire() as connection:
        assert (await count_by_key(connection, MESSAGES, 10_000)).by_key == {bytes.fromhex("aaaaaaaa"): 20_000}
        counted = await count_by_key(connection, MESSAGES, 200)
    assert not counted.exact
    assert 10_000 < counted.by_key[bytes.fromhex("aaaaaaaa")] < 40_000


async def test_what_is_in_use_or_cannot_be_read_is_left(owner: Owner, pool: db.Pool, sending: Settings) -> None:
    ring = await unlocked(sending, pool)
    vault = ring.vault(MESSAGES.purpose)
    for n in range(3):
        message = f"00000000-0000-0000-0000-00000000000{n}"
        value = vault.seal(b"{}", f"default/{message}") if n else b"\x01nothing of ours"
        await owner.execute("INSERT INTO tidings.sandbox_messages VALUES ($1, 'default', 'email', $2)", message, value)
    await renewed(pool, ring)
    async with owner.transaction():
        await owner.execute("SELECT FROM tidings.sandbox_messages WHERE id::text LIKE '%2' FOR UPDATE")
        assert await Resealing(pool, ring).column(MESSAGES) == Resealed(resealed=1, unread=1, busy=1)
    assert await Resealing(pool, ring).column(MESSAGES) == Resealed(resealed=1, unread=1, busy=0)


async def _something_in_every_column(owner: Owner, pool: db.Pool, settings: Settings, ring: Keyring) -> None:
    person = await add_person(owner, email="somebody@example.com")
    await add_url(owner, settings, person, "webhook", "https://example.com/hook")
    await add_provider(owner, settings, "sms", "twilio", config={"authToken": "canary"})
    await add_rule(owner, channels=["email"])
    await emit(owner)
    await drain(settings)
    run = await owner.fetchval(
        """WITH s AS (INSERT INTO tidings.report_schedules (tenant, owner, report_type, cadence_type, schedule_time,
               since, timezone) VALUES ('default', 'user:1', 'any', 'daily', '09:00', '2026-01-01', 'UTC') RETURNING id)
           INSERT INTO tidings.report_runs (tenant, schedule_id, slot, due_at)
           SELECT 'default', id, now(), now() FROM s RETURNING id"""
    )
    await keep(owner, settings, run)
    staged = ring.vault(ADDRESSES).seal(b"{}", "default")
    await owner.execute(
        """WITH i AS (INSERT INTO tidings.imports (tenant) VALUES ('default') RETURNING id)
           INSERT INTO tidings.import_rows (import_id, tenant, line, sealed) SELECT id, 'default', 1, $1 FROM i""",
        staged,
    )
    async with pool.acquire() as connection, connection.transaction():
        replies = Replies(connection, ring.vault(REPLIES), "default", "user:1")
        await replies.claim("key", b"print", timedelta(hours=1))
        await replies.keep("key", Reply(201, b"reply"))
