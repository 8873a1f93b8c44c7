"""The websocket channel: tells every open session of a person, on every API process, through the database.

The inbox has the notification whether anybody is connected or not, so that nothing can be lost here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tidings.kit.batching import Batcher
from tidings.kit.db import Pool
from tidings.spine.channels.port import Message, Outcome, Sent
from tidings.spine.notify.announcing import announce


@dataclass
class Announcer:
    """One for all tenants of a worker: announcements go together where there are many."""

    pool: Pool

    def __post_init__(self) -> None:
        self.telling: Batcher[tuple[str, Message], None] = Batcher(self._tell, at_once=1, most=1_000)

    def of(self, tenant: str) -> WebsocketAdapter:
        return WebsocketAdapter(self, tenant)

    async def _tell(self, told: Sequence[tuple[str, Message]]) -> list[Exception | None]:
        tenants: dict[str, list[tuple[UUID, UUID]]] = {}
        for tenant, message in told:
            tenants.setdefault(tenant, []).append((UUID(message.to), UUID(message.data["notificationId"])))
        async with self.pool.acquire() as connection:
            for tenant, items in tenants.items():
                await announce(connection, tenant, items)
        return [None] * len(told)


@dataclass(frozen=True)
class WebsocketAdapter:
    announcer: Announcer
    tenant: str

    async def send(self, message: Message) -> Outcome:
        await self.announcer.telling.ask((self.tenant, message))
        return Sent()

    async def close(self) -> None:
        """Nothing is held open."""
