"""What the module writes beside its own rows: facts, and signals to the process of an event."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.modules.events.model import MODULE, STREAM, SUBSCRIPTION_STREAM, process_of


@dataclass(frozen=True)
class Recording:
    """In the tenant's own transaction. `actor` is who did it, for the record."""

    connection: Connection
    actor: str | None = None

    async def fact(self, type: str, event_id: int, data: Mapping[str, Any]) -> UUID:
        """Something that the organiser did, in the stream of the event."""
        return await self._emit(type, STREAM, event_id, data)

    async def subscription_fact(self, type: str, subscription_id: int, data: Mapping[str, Any]) -> UUID:
        return await self._emit(type, SUBSCRIPTION_STREAM, subscription_id, data)

    async def act(self, event_id: int, signal: str, argument: Mapping[str, Any]) -> None:
        """Tells the process of an act, under the next number of the event: the caller holds its row."""
        number = await self.connection.fetchval(
            "UPDATE tidings.events SET acts = acts + 1 WHERE id = $1 RETURNING acts", event_id
        )
        await self._signal(event_id, signal, {"act": number, **argument}, gather=False)

    async def hint(self, event_id: int, signal: str, subscription_id: int) -> None:
        await self._signal(event_id, signal, {"subscriptionId": subscription_id}, gather=True)

    async def _emit(self, type: str, stream: str, id: int, data: Mapping[str, Any]) -> UUID:
        metadata = {} if self.actor is None else {"actor": self.actor}
        fact: UUID = await self.connection.fetchval(
            "SELECT tidings.emit_own($1, $2, $3::text::jsonb, $4, $5, NULL, $6::text::jsonb)",
            MODULE,
            type,
            json.dumps(data),
            stream,
            str(id),
            json.dumps(metadata),
        )
        return fact

    async def _signal(self, event_id: int, signal: str, argument: Mapping[str, Any], *, gather: bool) -> None:
        await self.connection.execute(
            "SELECT tidings.signal_process($1, $2, $3::text::jsonb, $4)",
            process_of(event_id),
            signal,
            json.dumps(argument),
            gather,
        )
