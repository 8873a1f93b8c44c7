"""The sandbox: sends nothing and keeps the message, sealed, to be looked at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tidings.kit.batching import Batcher
from tidings.kit.crypto import Vault
from tidings.kit.db import Pool
from tidings.spine.channels.port import Channel, Message, Outcome, Sent
from tidings.spine.notify.people.urls import where_it_leads

_KEEP = """
INSERT INTO tidings.sandbox_messages (id, tenant, channel, sealed)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) ORDER BY 1 ON CONFLICT (id) DO NOTHING
"""


@dataclass
class Sandbox:
    """One for all tenants of a worker. The same delivery again, under the same key, is kept once."""

    pool: Pool
    vault: Vault

    def __post_init__(self) -> None:
        self.keeping: Batcher[tuple[str, Message], None] = Batcher(self._keep, at_once=2, most=1_000)

    def of(self, tenant: str) -> SandboxAdapter:
        return SandboxAdapter(self, tenant)

    async def _keep(self, kept: Sequence[tuple[str, Message]]) -> list[Exception | None]:
        await self.pool.execute(
            _KEEP,
            [message.id for _, message in kept],
            [tenant for tenant, _ in kept],
            [message.channel.value for _, message in kept],
            [self.vault.seal(_as_json(message), context(tenant, message.id)) for tenant, message in kept],
        )
        return [None] * len(kept)


@dataclass(frozen=True)
class SandboxAdapter:
    sandbox: Sandbox
    tenant: str

    async def send(self, message: Message) -> Outcome:
        await self.sandbox.keeping.ask((self.tenant, message))
        return Sent(f"sandbox:{message.id}")

    async def close(self) -> None:
        """Nothing is held open."""


def context(tenant: str, id: UUID) -> str:
    return f"{tenant}/{id}"


def _as_json(message: Message) -> bytes:
    """A URL that whoever knows it can send to is not shown again, here as elsewhere."""
    secret = message.channel in (Channel.SLACK, Channel.WEBHOOK, Channel.APPRISE)
    shown: dict[str, Any] = {
        "to": where_it_leads(message.channel, message.to) if secret else message.to,
        "name": message.name,
        "subject": message.subject,
        "text": message.text,
        "html": message.html,
        "level": message.level,
        "data": dict(message.data),
        "unsubscribeUrl": message.unsubscribe_url,
        "attachments": [
            {"name": a.name, "mediaType": a.media_type, "bytes": len(a.content)} for a in message.attachments
        ],
    }
    return json.dumps(shown, default=str).encode()
