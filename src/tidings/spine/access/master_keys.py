"""Changing keys: another master key for the same data keys, or a new data key to seal with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from tidings.kit.crypto import Key, Keyring, new_key, unwrap, wrap
from tidings.kit.db import Connection, affected
from tidings.kit.errors import Conflict
from tidings.spine.access.data_keys import READ_EVERY, SEALING

KNOWN_AFTER = timedelta(seconds=READ_EVERY * 2)
"""By then every process has read a key that was made, and may meet what is sealed with it."""

_OTHERS = "SELECT DISTINCT wrapped_by FROM tidings.data_keys WHERE wrapped_by <> $1 ORDER BY 1"
_MINE = "SELECT id, use, wrapped, seals_from, created_at FROM tidings.data_keys WHERE wrapped_by = $1"
_ADD = """
INSERT INTO tidings.data_keys (id, use, wrapped_by, wrapped, seals_from, created_at) VALUES ($1, $2, $3, $4, $5, $6)
"""
_RENEW = """
INSERT INTO tidings.data_keys (id, use, wrapped_by, wrapped, seals_from) VALUES ($1, $2, $3, $4, now() + $5::interval)
"""


@dataclass(frozen=True)
class MasterKeys:
    """The master keys that open this database. For the operator, in one transaction, with the ring unlocked."""

    connection: Connection
    keyring: Keyring

    async def others(self) -> Sequence[bytes]:
        """Ids of master keys beside the one that is set: there are some while it is being changed."""
        return [row["wrapped_by"] for row in await self.connection.fetch(_OTHERS, self.keyring.master.id)]

    async def add(self, new: Key) -> None:
        """From now on `new` opens everything too. `Conflict` while another change is not finished."""
        await self._require_alone()
        master = self.keyring.master
        for row in await self.connection.fetch(_MINE, master.id):
            wrapped = wrap(new, unwrap(master, row["wrapped"], row["use"]), row["use"])
            dates = row["seals_from"], row["created_at"]
            await self.connection.execute(_ADD, row["id"], row["use"], new.id, wrapped, *dates)

    async def keep_only_this(self) -> bool:
        """Every other master key opens nothing any more; whether there was one."""
        status = await self.connection.execute(
            "DELETE FROM tidings.data_keys WHERE wrapped_by <> $1", self.keyring.master.id
        )
        return affected(status) > 0

    async def renew(self, seals_after: timedelta = KNOWN_AFTER) -> Key:
        """A new data key. It seals once every process knows it, unless it is told when."""
        await self._require_alone()
        key, master = new_key(), self.keyring.master
        wrapped = wrap(master, key, SEALING)
        await self.connection.execute(_RENEW, key.id, SEALING, master.id, wrapped, seals_after)
        return key

    async def _require_alone(self) -> None:
        await self.connection.execute("LOCK TABLE tidings.data_keys IN SHARE ROW EXCLUSIVE MODE")
        if others := await self.others():
            raise Conflict(
                f"another master key ({', '.join(key.hex() for key in others)}) opens this database too;"
                " set the one that is to stay, and run `tidings secrets rotate --finish`"
            )
