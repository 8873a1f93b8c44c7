"""The sandbox: sends nothing and keeps the message, sealed, to be looked at.

It also fails where it is asked to, so that one can see what happens then: an address with one of `ANSWERS` in it, such
as `owner+busy@example.com`, gets that answer, and nothing is kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any
from uuid import UUID

from tidings.kit.batching import Batcher
from tidings.kit.crypto import Vault
from tidings.kit.db import Pool
from tidings.spine.channels.port import Channel, Deferred, Message, Outcome, Rejected, Sent, Unknown
from tidings.spine.notify.people.urls import where_it_leads

_KEEP = """
INSERT INTO tidings.sandbox_messages (id, tenant, channel, sealed)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) ORDER BY 1 ON CONFLICT (id) DO NOTHING
"""


ANSWERS: Mapping[str, Outcome] = MappingProxyType(
    {
        "+busy": Deferred("the sandbox was asked to be busy"),
        "+wait": Deferred("the sandbox was asked to say when", after=timedelta(seconds=7)),
        "+refused": Deferred("the sandbox was asked to refuse its credentials"),
        "+reject": Rejected("the sandbox was asked to reject it"),
        "+gone": Rejected("the sandbox was asked to know no such address", gone=True),
        "+silent": Unknown("the sandbox was asked not to answer"),
    }
)


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
        for mark, answer in ANSWERS.items():
            if mark in message.to:
                return answer
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
        "thread": message.thread,
        "buttons": [{"label": button.label, "url": button.url} for button in message.buttons],
        "attachments": [
            {"name": a.name, "mediaType": a.media_type, "bytes": len(a.content)} for a in message.attachments
        ],
    }
    return json.dumps(shown, default=str).encode()
