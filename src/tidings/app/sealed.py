"""Every column that holds something sealed: what it is sealed with, and sealing it again with a newer key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tidings.kit.crypto import ID_BYTES, VERSION, Keyring, Unsealable, Vault
from tidings.kit.db import Connection, Pool
from tidings.spine.access.purposes import ADDRESSES, KEPT_MESSAGES, PROVIDERS, REPLIES, REPORTS

_BLOCKS = 250  # of a table, in one transaction: 2 MB


@dataclass(frozen=True)
class SealedColumn:
    """`context` is what each value is bound to, in SQL: the same that whoever sealed it gave."""

    table: str
    column: str
    purpose: str
    context: str

    @property
    def name(self) -> str:
        return f"{self.table}.{self.column}"


SEALED_COLUMNS = (
    SealedColumn("providers", "config", PROVIDERS, "tenant"),
    SealedColumn("addresses", "sealed", ADDRESSES, "tenant"),
    SealedColumn("import_rows", "sealed", ADDRESSES, "tenant"),
    SealedColumn("idempotency_keys", "reply", REPLIES, r"concat_ws(E'\n', tenant, actor, key)"),
    SealedColumn("sandbox_messages", "sealed", KEPT_MESSAGES, "tenant || '/' || id"),
    SealedColumn("report_documents", "sealed", REPORTS, "tenant"),
)

_ID = f"substr({{column}}, {len(VERSION) + 1}, {ID_BYTES})"


@dataclass(frozen=True)
class Counted:
    """How many values are sealed with which data key; where it is not `exact`, a key of few values may be missing."""

    by_key: Mapping[bytes, int]
    exact: bool


async def count_by_key(connection: Connection, sealed: SealedColumn, most_blocks: int | None = None) -> Counted:
    """Reads the whole table or, where it has more than `most_blocks`, a sample of that many."""
    blocks = await _blocks_of(connection, sealed)
    share = 1.0 if most_blocks is None else min(1.0, most_blocks / max(blocks, 1))
    of_key = _ID.format(column=sealed.column)
    sample = "" if share == 1.0 else f"TABLESAMPLE SYSTEM ({share * 100})"
    rows = await connection.fetch(
        f"""SELECT {of_key} AS key, count(*) AS amount FROM tidings.{sealed.table} {sample}
            WHERE {sealed.column} IS NOT NULL GROUP BY 1 ORDER BY 1"""
    )
    return Counted({row["key"]: round(row["amount"] / share) for row in rows}, share == 1.0)


async def _blocks_of(connection: Connection | Pool, sealed: SealedColumn) -> int:
    blocks: int = await connection.fetchval(
        "SELECT pg_relation_size($1::regclass) / current_setting('block_size')::integer", f"tidings.{sealed.table}"
    )
    return blocks


@dataclass(frozen=True)
class Resealed:
    """What came of a column. `unread` could not be opened and stays as it is; `busy` was in use, for the next time."""

    resealed: int
    unread: int
    busy: int


@dataclass(frozen=True)
class Resealing:
    """Seals again what is under an older data key. It may be stopped and begun again at any time; others go on
    reading and writing meanwhile, and wait for no more than a few hundred rows."""

    pool: Pool
    keyring: Keyring
    progress: Callable[[str, int], None] = lambda name, amount: None

    async def column(self, sealed: SealedColumn) -> Resealed:
        """One walk through the table by its blocks, however many of its values are done already."""
        vault = self.keyring.vault(sealed.purpose)
        blocks = await _blocks_of(self.pool, sealed)
        resealed = unread = 0
        for start in range(0, blocks + 1, _BLOCKS):
            done, failed = await self._blocks(sealed, vault, start)
            resealed, unread = resealed + done, unread + failed
            self.progress(sealed.name, resealed)
        left = await self._left(sealed)
        return Resealed(resealed, unread, max(0, left - unread))

    async def _blocks(self, sealed: SealedColumn, vault: Vault, start: int) -> tuple[int, int]:
        async with self.pool.acquire() as connection, connection.transaction():
            rows = await connection.fetch(
                f"""SELECT ctid, {sealed.column} AS value, {sealed.context} AS context FROM tidings.{sealed.table}
                    WHERE ctid >= $1 AND ctid < $2 AND {sealed.column} IS NOT NULL
                        AND {_ID.format(column=sealed.column)} <> $3
                    FOR NO KEY UPDATE SKIP LOCKED""",
                (start, 0),
                (start + _BLOCKS, 0),
                self._newest,
            )
            fresh = [(row["ctid"], value) for row in rows if (value := _resealed(vault, row)) is not None]
            await connection.executemany(
                f"UPDATE tidings.{sealed.table} SET {sealed.column} = $2 WHERE ctid = $1", fresh
            )
        return len(fresh), len(rows) - len(fresh)

    async def _left(self, sealed: SealedColumn) -> int:
        async with self.pool.acquire() as connection:
            counted = await count_by_key(connection, sealed)
        return sum(amount for key, amount in counted.by_key.items() if key != self._newest)

    @property
    def _newest(self) -> bytes:
        return self.keyring.data.sealing[0].id


def _resealed(vault: Vault, row: Any) -> bytes | None:
    try:
        return vault.seal(vault.open(row["value"], row["context"]), row["context"])
    except Unsealable:
        return None
