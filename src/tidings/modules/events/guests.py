"""People without a login who hear of an event: they ask with an e-mail address, confirm by a link, leave by a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.modules.events.events import Events
from tidings.modules.events.model import Subscription
from tidings.modules.events.recording import Recording
from tidings.modules.events.snapshot import snapshot
from tidings.modules.events.subscriptions import Subscriptions
from tidings.spine.notify.people.addresses import NewAddress

GUEST = "guest"
"""The user type of somebody whom a page of ours made."""
_AGAIN_AFTER = timedelta(minutes=10)
_CONFIRM_WITHIN = timedelta(days=7)
_CHUNK = 1_000

_KNOWN = """
SELECT p.id FROM tidings.addresses a JOIN tidings.people p ON p.id = a.person_id
WHERE a.tenant = $1 AND a.kind = 'email' AND a.fingerprint = $2 ORDER BY p.user_id IS NULL, p.id LIMIT 1
"""
_NEW = """
WITH person AS (
    INSERT INTO tidings.people (tenant, user_type, name, locale, timezone) VALUES ($1, $2, $3, $4, $5) RETURNING id
)
INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
SELECT $1, id, 'email', $6, $7 FROM person RETURNING person_id
"""
# Who is in already is not asked; who was asked a moment ago is not asked again.
_ASK = """
INSERT INTO tidings.event_subscriptions AS s (tenant, event_id, person_id, asked_at) VALUES ($1, $2, $3, now())
ON CONFLICT (event_id, person_id) DO UPDATE SET asked_at = now(), updated_at = now()
WHERE (s.confirmed_at IS NULL OR s.left_at IS NOT NULL) AND (s.asked_at IS NULL OR s.asked_at < now() - $4::interval)
RETURNING s.id
"""
_FORGET = """
WITH old AS (
    DELETE FROM tidings.event_subscriptions WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM tidings.event_subscriptions
        WHERE confirmed_at IS NULL AND asked_at < now() - $1::interval ORDER BY asked_at LIMIT $2
        FOR UPDATE SKIP LOCKED))
    RETURNING id, person_id
), gone AS (
    DELETE FROM tidings.people p USING old WHERE p.id = old.person_id AND p.user_type = $3 AND p.user_id IS NULL
        AND p.external_id IS NULL AND NOT EXISTS (
            SELECT FROM tidings.event_subscriptions s WHERE s.person_id = p.id AND s.id <> ALL (SELECT id FROM old))
)
SELECT count(*) FROM old
"""


@dataclass(frozen=True, repr=False)
class Guest:
    """Who asks, as they say."""

    email: NewAddress
    name: str
    locale: str | None
    timezone: str | None


@dataclass(frozen=True)
class Seat:
    """How it stands between a person and an event."""

    event: Mapping[str, Any]
    person: Mapping[str, Any] | None
    subscription_id: int | None
    joined: bool


@dataclass(frozen=True)
class Guests:
    connection: Connection
    tenant: str

    async def ask(self, event_id: int, guest: Guest) -> None:
        """They get a mail with a link, unless they are in already. Whoever asked learns nothing of who is known here.

        `Conflict` where the event is cancelled or over.
        """
        event = await self._subscriptions.open_event(event_id)
        person = await self.connection.fetchval(_KNOWN, self.tenant, guest.email.fingerprint)
        if person is None:
            person = await self._made(guest)
        asked = await self.connection.fetchval(_ASK, self.tenant, event_id, person, _AGAIN_AFTER)
        if asked is not None:
            about = {"eventId": event_id, "subscriptionId": asked, "personId": str(person), "event": snapshot(event)}
            reader = {"locale": guest.locale, "timezone": guest.timezone}
            await Recording(self.connection).subscription_fact("event.join_requested", asked, {**about, **reader})

    async def confirm(self, event_id: int, person_id: UUID) -> Subscription:
        """Done twice, it is done once."""
        seat = await self.seat(event_id, person_id)
        if seat.subscription_id is None:
            raise NotFound("There is no such subscription.")
        return await self._subscriptions.confirm(seat.subscription_id)

    async def leave(self, event_id: int, person_id: UUID) -> None:
        """Who is not in has left already."""
        seat = await self.seat(event_id, person_id)
        if seat.joined and seat.subscription_id is not None:
            await self._subscriptions.leave(event_id, seat.subscription_id)

    async def seat(self, event_id: int, person_id: UUID | None) -> Seat:
        event = await Events(self.connection, self.tenant).row(event_id)
        person = await self.connection.fetchrow(
            "SELECT name, locale, timezone FROM tidings.people WHERE tenant = $1 AND id = $2", self.tenant, person_id
        )
        row = await self.connection.fetchrow(
            """SELECT id, confirmed_at IS NOT NULL AND left_at IS NULL AS joined FROM tidings.event_subscriptions
               WHERE tenant = $1 AND event_id = $2 AND person_id = $3""",
            self.tenant,
            event_id,
            person_id,
        )
        found = (None, False) if row is None else (row["id"], row["joined"])
        return Seat(snapshot(event), None if person is None else dict(person), *found)

    async def _made(self, guest: Guest) -> UUID:
        made: UUID = await self.connection.fetchval(
            _NEW,
            self.tenant,
            GUEST,
            guest.name,
            guest.locale,
            guest.timezone,
            guest.email.value,
            guest.email.fingerprint,
        )
        return made

    @property
    def _subscriptions(self) -> Subscriptions:
        return Subscriptions(self.connection, self.tenant)


async def forget_unconfirmed(connection: Connection) -> bool:
    """What nobody confirmed within a week, and who was made for nothing else. Returns whether there may be more."""
    forgotten: int = await connection.fetchval(_FORGET, _CONFIRM_WITHIN, _CHUNK, GUEST)
    return forgotten == _CHUNK
