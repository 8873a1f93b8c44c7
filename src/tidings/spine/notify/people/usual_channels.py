"""By which channels people of a user type are told, unless they want less: as usual, or as their tenant wants it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tidings.kit.db import Connection
from tidings.spine.channels.port import Channel, Level

_OWN = "SELECT user_type, channels, urgent FROM tidings.usual_channels WHERE tenant = $1"


@dataclass(frozen=True)
class Usual:
    """`urgent` are added where the level is critical."""

    channels: tuple[Channel, ...]
    urgent: tuple[Channel, ...] = ()

    def at(self, level: Level) -> tuple[Channel, ...]:
        more = self.urgent if level is Level.CRITICAL else ()
        return tuple(dict.fromkeys((*self.channels, *more)))


@dataclass(frozen=True)
class UsualChannels:
    """Those of one tenant; `defaults` are of the user types that modules know."""

    connection: Connection
    tenant: str
    defaults: Mapping[str, Usual]

    async def all(self) -> dict[str, tuple[Usual, bool]]:
        """By user type, and whether the tenant has said so."""
        rows = await self.connection.fetch(_OWN, self.tenant)
        own = {row["user_type"]: (_usual(row["channels"], row["urgent"]), True) for row in rows}
        return {name: (usual, False) for name, usual in self.defaults.items()} | own

    async def of(self, user_type: str, level: Level) -> tuple[Channel, ...]:
        own = await self.connection.fetchrow(f"{_OWN} AND user_type = $2", self.tenant, user_type)
        usual = self.defaults[user_type] if own is None else _usual(own["channels"], own["urgent"])
        return usual.at(level)

    async def set(self, user_type: str, usual: Usual) -> None:
        await self.connection.execute(
            """INSERT INTO tidings.usual_channels (tenant, user_type, channels, urgent) VALUES ($1, $2, $3, $4)
               ON CONFLICT (tenant, user_type) DO UPDATE SET channels = $3, urgent = $4, updated_at = now()""",
            self.tenant,
            user_type,
            [str(channel) for channel in usual.channels],
            [str(channel) for channel in usual.urgent],
        )

    async def reset(self, user_type: str) -> None:
        """As usual again; nothing happens where it was."""
        await self.connection.execute(
            "DELETE FROM tidings.usual_channels WHERE tenant = $1 AND user_type = $2", self.tenant, user_type
        )


def _usual(channels: Sequence[str], urgent: Sequence[str]) -> Usual:
    return Usual(tuple(map(Channel, channels)), tuple(map(Channel, urgent)))
