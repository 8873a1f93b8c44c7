"""Who is told of an event: joining, choosing where and when to hear of it, and leaving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Fault, NotFound, ValidationFailed
from tidings.kit.paging import Page, page_of
from tidings.modules.events.events import Events
from tidings.modules.events.model import DEFAULT_OFFSETS, Choice, Status, Subscription, over_at, topic_of
from tidings.modules.events.recording import Recording
from tidings.modules.events.snapshot import snapshot
from tidings.spine.outbox.intents import Row

# Whose topic an admin took away is in still, and can leave.
_SHOWN = """
SELECT s.id, s.event_id, s.person_id, p.name AS person, s.offsets, coalesce(t.address_ids, '{}') AS address_ids,
    coalesce(t.tags, '{}') AS tags, s.created_at
FROM tidings.event_subscriptions s JOIN tidings.people p ON p.id = s.person_id LEFT JOIN tidings.subscriptions t
    ON t.tenant = s.tenant AND t.topic = 'event:' || s.event_id AND t.person_id = s.person_id
WHERE s.tenant = $1 AND s.event_id = $2 AND s.confirmed_at IS NOT NULL AND s.left_at IS NULL
"""
# Who comes back is the subscription that they were.
_JOIN = """
INSERT INTO tidings.event_subscriptions AS s (tenant, event_id, person_id, offsets, confirmed_at)
VALUES ($1, $2, $3, $4, now())
ON CONFLICT (event_id, person_id) DO UPDATE SET offsets = excluded.offsets, confirmed_at = now(), left_at = NULL,
    updated_at = now()
WHERE s.confirmed_at IS NULL OR s.left_at IS NOT NULL
RETURNING s.id
"""
_ROUTE = """
INSERT INTO tidings.subscriptions AS t (tenant, topic, person_id, address_ids, tags) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant, topic, person_id) DO UPDATE SET address_ids = excluded.address_ids, tags = excluded.tags
WHERE (t.address_ids, t.tags) IS DISTINCT FROM (excluded.address_ids, excluded.tags)
"""
_LEAVE = """
UPDATE tidings.event_subscriptions SET left_at = now(), updated_at = now()
WHERE tenant = $1 AND event_id = $2 AND id = $3 AND left_at IS NULL AND confirmed_at IS NOT NULL RETURNING person_id
"""


@dataclass(frozen=True)
class Subscriptions:
    """Whoever writes here shares the event's row: its start stays while the reminders are set."""

    connection: Connection
    tenant: str
    actor: str | None = None

    async def join(self, event_id: int, person_id: UUID, choice: Choice) -> Subscription:
        """`Conflict` where the event is cancelled or over, or they are in already."""
        event = await self.open_event(event_id)
        await self._require_integrations(person_id, choice.address_ids or ())
        offsets = DEFAULT_OFFSETS if choice.offsets is None else choice.offsets
        joined = await self.connection.fetchval(_JOIN, self.tenant, event_id, person_id, list(offsets))
        if joined is None:
            raise Conflict("They have joined this event already.")
        await self._joined(event, joined, person_id, choice.address_ids or (), choice.tags or ())
        return await self.get(event_id, joined)

    async def confirm(self, id: int) -> Subscription:
        """By somebody who holds the mailbox that it was asked with; done twice, it is done once."""
        row = await self.connection.fetchrow(
            "SELECT * FROM tidings.event_subscriptions WHERE tenant = $1 AND id = $2", self.tenant, id
        )
        if row is None:
            raise NotFound("There is no such subscription.")
        event = await self.open_event(row["event_id"])
        if await self.connection.fetchval(_JOIN, self.tenant, row["event_id"], row["person_id"], row["offsets"]):
            await self._joined(event, id, row["person_id"], (), ())
        return await self.get(row["event_id"], id)

    async def get(self, event_id: int, id: int) -> Subscription:
        return await self._one(event_id, "s.id", id)

    async def of_person(self, event_id: int, person_id: UUID) -> Subscription:
        return await self._one(event_id, "s.person_id", person_id)

    async def joined_by(self, person_id: UUID | None, event_ids: Sequence[int]) -> set[int]:
        """Which of these events somebody has joined."""
        rows = await self.connection.fetch(
            """SELECT event_id FROM tidings.event_subscriptions WHERE tenant = $1 AND person_id = $2
               AND event_id = ANY ($3::bigint[]) AND confirmed_at IS NOT NULL AND left_at IS NULL""",
            self.tenant,
            person_id,
            list(event_ids),
        )
        return {row["event_id"] for row in rows}

    async def list(self, event_id: int, after: int | None, limit: int) -> Page[Subscription]:
        """In the order in which they first came."""
        rows = await self.connection.fetch(
            f"{_SHOWN} AND s.id > $3 ORDER BY s.id LIMIT $4", self.tenant, event_id, after or 0, limit + 1
        )
        return page_of([_subscription(row) for row in rows], limit, lambda found: found.id)

    async def change(self, known: Subscription, choice: Choice) -> Subscription:
        """Reminders that stay are not touched: the difference is added and removed."""
        await self.open_event(known.event_id)
        await self._require_integrations(known.person_id, choice.address_ids or ())
        if choice.offsets is not None:
            await self.connection.execute(
                "UPDATE tidings.event_subscriptions SET offsets = $2, updated_at = now() WHERE id = $1",
                known.id,
                list(choice.offsets),
            )
            await self._set_reminders(known.event_id, known.id, "offset_removed")
        addresses = known.address_ids if choice.address_ids is None else choice.address_ids
        tags = known.tags if choice.tags is None else choice.tags
        await self._route(known.event_id, known.person_id, addresses, tags)
        return await self.get(known.event_id, known.id)

    async def leave(self, event_id: int, id: int) -> None:
        """Nobody comments on it; their reminders go with it."""
        await Events(self.connection, self.tenant).locked(event_id, "SHARE")
        person_id = await self.connection.fetchval(_LEAVE, self.tenant, event_id, id)
        if person_id is None:
            raise NotFound("There is no such subscription.")
        await self.connection.execute(
            "DELETE FROM tidings.subscriptions WHERE tenant = $1 AND topic = $2 AND person_id = $3",
            self.tenant,
            topic_of(event_id),
            person_id,
        )
        await self._set_reminders(event_id, id, "unsubscribed")
        about = {"eventId": event_id, "subscriptionId": id, "personId": str(person_id)}
        await self._recording.subscription_fact("event.left", id, about)
        await self._recording.hint(event_id, "participant_removed", id)

    async def leave_by_id(self, id: int) -> None:
        event_id = await self.connection.fetchval(
            "SELECT event_id FROM tidings.event_subscriptions WHERE tenant = $1 AND id = $2", self.tenant, id
        )
        if event_id is None:
            raise NotFound("There is no such subscription.")
        await self.leave(event_id, id)

    async def _joined(
        self, event: Mapping[str, Any], id: int, person_id: UUID, addresses: Sequence[UUID], tags: Sequence[str]
    ) -> None:
        await self._route(event["id"], person_id, addresses, tags)
        await self._set_reminders(event["id"], id, "")
        about = {"eventId": event["id"], "subscriptionId": id, "personId": str(person_id), "event": snapshot(event)}
        reader = await self.connection.fetchrow("SELECT locale, timezone FROM tidings.people WHERE id = $1", person_id)
        assert reader is not None
        await self._recording.subscription_fact("event.joined", id, {**about, **reader})
        await self._recording.hint(event["id"], "participant_added", id)

    async def _route(self, event_id: int, person_id: UUID, addresses: Sequence[UUID], tags: Sequence[str]) -> None:
        await self.connection.execute(_ROUTE, self.tenant, topic_of(event_id), person_id, list(addresses), list(tags))

    async def open_event(self, event_id: int) -> dict[str, Any]:
        event = await Events(self.connection, self.tenant).locked(event_id, "SHARE")
        if event["status"] != Status.ACTIVE:
            raise Conflict(f"The event is {event['status']}.")
        if await self.connection.fetchval("SELECT $1 <= now()", over_at(event["starts_at"], event["ends_at"])):
            raise Conflict("The event is over.")
        return event

    async def _require_integrations(self, person_id: UUID, ids: Sequence[UUID]) -> None:
        """Somebody else's are not there."""
        known = await self.connection.fetchval(
            """SELECT array_agg(id) FROM tidings.addresses
               WHERE tenant = $1 AND person_id = $2 AND id = ANY ($3::uuid[]) AND name IS NOT NULL""",
            self.tenant,
            person_id,
            list(ids),
        )
        if set(ids) - set(known or ()):
            message = "there is no such integration"
            raise ValidationFailed(f"selectors: {message}", (Fault("selectors", message),))

    async def _set_reminders(self, event_id: int, id: int, reason: str) -> None:
        await Events(self.connection, self.tenant).set_reminders(event_id, id, reason)

    async def _one(self, event_id: int, column: str, value: Any) -> Subscription:
        row = await self.connection.fetchrow(f"{_SHOWN} AND {column} = $3", self.tenant, event_id, value)
        if row is None:
            raise NotFound("There is no such subscription.")
        return _subscription(row)

    @property
    def _recording(self) -> Recording:
        return Recording(self.connection, self.actor)


def _subscription(row: Row) -> Subscription:
    return Subscription(
        row["id"],
        row["event_id"],
        row["person_id"],
        row["person"],
        tuple(row["offsets"]),
        tuple(row["address_ids"]),
        tuple(row["tags"]),
        row["created_at"],
    )
