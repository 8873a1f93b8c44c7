"""Tells those who watch a tenant what was changed there: which resources, and no more, so that they read them again."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from datetime import timedelta

from tidings.api.live import messages
from tidings.api.live.hub import Hub

CHANNEL = "tidings_changes"
RESOURCES = frozenset(
    [
        "rules",
        "templates",
        "providers",
        "categories",
        "groups",
        "people",
        "imports",
        "integrations",
        "suppressions",
        "keys",
        "users",
        "overview",
        "events",
        "calendar",
        "reservations",
        "reports",
        "organizations",
    ]
)
_GATHER = timedelta(milliseconds=50)  # what one transaction changed comes one by one
_PAUSE = timedelta(seconds=1)


@dataclass
class Changes:
    """At most one message a second, however much is changed."""

    hub: Hub
    waiting: dict[str, set[str]] = field(default_factory=dict)
    something: asyncio.Event = field(default_factory=asyncio.Event)

    def heard(self, payload: str) -> None:
        """Keeps what concerns a tenant that somebody here watches."""
        for tenant, resource in changed_in(payload):
            if tenant in self.hub.watchers:
                self.waiting.setdefault(tenant, set()).add(resource)
                self.something.set()

    async def run(self) -> None:
        while True:
            await self.something.wait()
            await asyncio.sleep(_GATHER.total_seconds())
            self.something.clear()
            taken, self.waiting = self.waiting, {}
            for tenant, resources in taken.items():
                frame = messages.stale(resources)
                for socket in self.hub.watching(tenant):
                    socket.tell(frame)
            await asyncio.sleep(_PAUSE.total_seconds())


def changed_in(payload: str) -> list[tuple[str, str]]:
    """The tenant and the resource that an announcement names. Anybody on the database can send one: what is none says
    nothing."""
    try:
        said = json.loads(payload)
        tenant, resource = said["tenant"], said["resource"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return []
    known = isinstance(tenant, str) and isinstance(resource, str) and resource in RESOURCES
    return [(tenant, resource)] if known else []
