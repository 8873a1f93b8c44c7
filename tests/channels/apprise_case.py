"""The Apprise adapter's case: its plainest scheme, `json`, and `jsons` where there is TLS."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from tests.channels.http_cases import Replies, http_case
from tests.channels.servers.http_server import Reply, Request
from tidings.spine.channels import apprise_channel
from tidings.spine.channels.port import Adapter, Channel, Level, Message, Outcome, Sent, Unknown
from tidings.spine.channels.registry import Outside

MESSAGE = Message(
    UUID("0199d0f0-0000-7000-8000-000000000003"), Channel.APPRISE, "json://example.com", "Your order was paid"
)


@dataclass(frozen=True)
class _AsJson:
    """Takes the suite's URLs for what Apprise calls them."""

    adapter: Adapter

    async def send(self, message: Message) -> Outcome:
        return await self.adapter.send(replace(message, to=message.to.replace("http", "json", 1)))

    async def close(self) -> None:
        await self.adapter.close()


def apprise_at(_: str, outside: Outside) -> Adapter:
    return apprise_channel.PROVIDER.build(apprise_channel.AppriseConfig(), outside)


async def outcome(to: str, outside: Outside, level: Level = Level.INFO) -> Outcome:
    adapter = apprise_at("", outside)
    try:
        return await adapter.send(replace(MESSAGE, to=to, subject="Paid\r\nBcc: b@example.org", level=level))
    finally:
        await adapter.close()


def taking(_: Request) -> Reply:
    return Reply(200)


APPRISE = http_case(
    "apprise",
    MESSAGE,
    lambda base_url, outside: _AsJson(apprise_at(base_url, outside)),
    Replies(success=Reply(200), waits=None, credentials=None, gone=Reply(410)),
    receipt=None,
    cut_off=(Sent, Unknown),  # Apprise reads to the end before it says anything
    aimed=True,
)
