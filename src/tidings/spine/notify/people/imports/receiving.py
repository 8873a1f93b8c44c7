"""A file of people from its first byte to the last: received, judged, and applied whole or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from tidings.kit.crypto import Vault
from tidings.kit.errors import Unavailable
from tidings.spine.notify.people.imports.applying import Applying
from tidings.spine.notify.people.imports.reading import Import, Imports
from tidings.spine.notify.people.imports.records import Read, Reader, Unreadable
from tidings.spine.notify.people.imports.rows import Row, Sheet, header_of
from tidings.spine.notify.people.imports.staging import Staging
from tidings.spine.notify.people.urls import Refusal

MOST_ROWS = 1_000_000
MOST_WRONG = 10_000
_BATCH = 1_000
_PATIENCE = 600.0  # seconds; after half an hour of silence an import is taken for dead
_CUT = "The file broke off in the middle; nobody was changed."


def _silent(rows: int, wrong: int) -> None:
    """Nobody watches."""


@dataclass(frozen=True)
class Receiving:
    """Takes files for one tenant. `watch` hears how many rows were read so far, and how many of them are wrong."""

    staging: Staging
    vault: Vault
    refusal: Refusal
    watch: Callable[[int, int], None] = field(default=_silent)
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))  # to apply: it takes a connection
    patience: float = _PATIENCE

    async def receive(self, source: AsyncIterator[bytes], dry_run: bool = False, file: str | None = None) -> Import:
        """The import as it ended: `done`, or `refused` with nobody changed. What `source` raises is raised, after the
        import is refused. Memory does not grow with the file."""
        begun = await self.staging.begin(dry_run, file)
        try:
            columns = await self._read(begun, source)
            async with self._turn():
                await self._settle(begun, columns, dry_run)
        except Unavailable as error:
            await self.staging.refuse(begun, error.detail)
            raise
        except Unreadable as error:
            await self.staging.refuse(begun, error.detail)
            async for _ in source:  # heard out: who is still sending would not listen to the answer
                pass
        except BaseException:
            await asyncio.shield(self.staging.refuse(begun, _CUT))
            raise
        async with self.staging.transaction() as connection:
            return await Imports(connection, self.staging.tenant).get(begun)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Files of a million rows are applied for minutes: not so many at once that nobody else gets a connection."""
        try:
            await asyncio.wait_for(self.turns.acquire(), self.patience)
        except TimeoutError:
            raise Unavailable("Other files are being applied; try again.", retry_after=60) from None
        try:
            yield
        finally:
            self.turns.release()

    async def _read(self, id: UUID, source: AsyncIterator[bytes]) -> Sequence[str]:
        file = _File(partial(Sheet, tenant=self.staging.tenant, vault=self.vault, refusal=self.refusal))
        pending, counted = list[Row](), _Counted()
        async for chunk in source:
            pending += await asyncio.to_thread(file.feed, chunk)  # others are served meanwhile
            while len(pending) >= _BATCH:
                await self._add(id, pending[:_BATCH], counted)
                del pending[:_BATCH]
        pending += file.finish()
        for start in range(0, len(pending), _BATCH):
            await self._add(id, pending[start : start + _BATCH], counted)
        return file.columns()

    async def _add(self, id: UUID, rows: Sequence[Row], counted: _Counted) -> None:
        await self.staging.add(id, rows)
        counted.add(rows)
        self.watch(counted.rows, counted.wrong)

    async def _settle(self, id: UUID, columns: Sequence[str], dry_run: bool) -> None:
        wrong = await self.staging.mark_repeated(id)
        if wrong:
            rows = "1 row is wrong" if wrong == 1 else f"{wrong} rows are wrong"
            await self.staging.refuse(id, f"{rows}; nobody was changed.")
            return
        async with self.staging.transaction() as connection:
            await connection.execute(
                "UPDATE tidings.imports SET status = 'applying', touched_at = now() WHERE tenant = $1 AND id = $2",
                self.staging.tenant,
                id,
            )
        async with self.staging.transaction() as connection:
            await connection.execute("SET LOCAL statement_timeout = '10min'")
            applying = Applying(connection, self.staging.tenant, id)
            created, changed = await applying.count() if dry_run else await applying.apply(columns)
            await applying.finish(created, changed)


class _File:
    """The first record is the header; those after it are rows."""

    def __init__(self, under: Callable[[Sequence[str]], Sheet]) -> None:
        self._under, self._reader = under, Reader()
        self._sheet: Sheet | None = None

    def feed(self, chunk: bytes) -> list[Row]:
        return self._rows(self._reader.feed(chunk))

    def finish(self) -> list[Row]:
        return self._rows(self._reader.finish())

    def _rows(self, records: Sequence[Read]) -> list[Row]:
        if self._sheet is None and records:
            first, *records = records
            self._sheet = self._under(header_of(first))
        sheet = self._sheet
        return [] if sheet is None else [sheet.row(record) for record in records]

    def columns(self) -> Sequence[str]:
        if self._sheet is None:
            raise Unreadable("The file is empty; its first line must name the columns.")
        return self._sheet.columns


@dataclass(slots=True)
class _Counted:
    rows: int = 0
    wrong: int = 0

    def add(self, rows: Sequence[Row]) -> None:
        """`Unreadable` where it makes no sense to go on."""
        self.rows += len(rows)
        self.wrong += sum(row.error is not None for row in rows)
        if self.rows > MOST_ROWS:
            raise Unreadable(f"The file has more than {MOST_ROWS} rows; split it.")
        if self.wrong > MOST_WRONG:
            raise Unreadable(f"More than {MOST_WRONG} rows are wrong; the rest was not read, and nobody was changed.")
