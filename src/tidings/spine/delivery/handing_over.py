"""Out of the house: a delivery waits for its turn, is said to be on its way where a second would do harm, and goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import structlog

from tidings.kit.batching import Batcher
from tidings.kit.db import Pool
from tidings.spine.channels.port import Adapter, Message, Outcome, Unknown
from tidings.spine.delivery.adapters import Way
from tidings.spine.delivery.table import Delivery

log = structlog.get_logger("tidings.delivery")

_GRACE = timedelta(seconds=5)  # an adapter keeps its deadline itself; this is for one that does not
_BEGIN = """
UPDATE tidings.leases l SET begun = l.begun || s.ids
FROM (SELECT token, array_agg(id) AS ids FROM unnest($1::uuid[], $2::uuid[]) AS t(token, id) GROUP BY token) s
WHERE l.token = s.token RETURNING l.token
"""


class NotHandedOver(Exception):
    """Nothing left the house, and nobody is to blame: its turn did not come, or its lease is somebody else's by now."""


class CutOff(Exception):
    """The worker had to stop while it was on its way: it may have arrived."""


@dataclass
class HandingOver:
    pool: Pool
    deadline: timedelta

    def __post_init__(self) -> None:
        self.saying: Batcher[tuple[UUID, UUID], bool] = Batcher(self._say, at_once=1, most=1_000)

    async def send(self, delivery: Delivery, way: Way, message: Message, *, once: bool) -> Outcome:
        """`once`: a second one would do harm. Then its lease says that it is on its way before it goes: should this
        worker die, whoever takes the lease back knows; and one that has lost its lease does not go."""
        async with self._turn(way):
            if once and not await self.saying.ask((delivery.token, delivery.id)):
                raise NotHandedOver("its lease is lost")
            return await self._out(way.adapter, message)

    @asynccontextmanager
    async def _turn(self, way: Way) -> AsyncIterator[None]:
        """Waiting for others of ours is no part of a send, and nothing that the provider did."""
        if way.room is None:
            yield
            return
        try:
            async with asyncio.timeout(self.deadline.total_seconds()):
                await way.room.acquire()
        except TimeoutError:
            raise NotHandedOver("its turn did not come in time") from None
        try:
            yield
        finally:
            way.room.release()

    async def _out(self, adapter: Adapter, message: Message) -> Outcome:
        """It may have arrived, whatever an adapter fails with against its promise."""
        try:
            async with asyncio.timeout((self.deadline + _GRACE).total_seconds()):
                return await adapter.send(message)
        except TimeoutError:
            return Unknown(f"no answer within {self.deadline}")
        except asyncio.CancelledError:
            raise CutOff from None
        except Exception as error:
            log.exception("an adapter failed", delivery=message.key)
            return Unknown(f"the adapter failed: {type(error).__name__}")

    async def _say(self, begun: Sequence[tuple[UUID, UUID]]) -> list[bool | Exception]:
        rows = await self.pool.fetch(_BEGIN, [token for token, _ in begun], [each for _, each in begun])
        held = {row["token"] for row in rows}
        return [token in held for token, _ in begun]
