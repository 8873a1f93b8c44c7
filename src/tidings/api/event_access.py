"""Who asks about an event: the person that they are, and whether it is theirs to change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from tidings.api.desk import Desk
from tidings.api.numbers import number
from tidings.api.shown.events import shown_event
from tidings.kit.errors import Forbidden, NotFound
from tidings.modules.events.events import Events
from tidings.modules.events.links import JOIN, Link
from tidings.modules.events.model import Event
from tidings.modules.events.subscriptions import Subscriptions
from tidings.spine.access.identity import Role
from tidings.spine.notify.people.linked import people_of_users

EventId = Annotated[int, number("eventId")]
SubscriptionPath = Annotated[int, number("subscriptionId")]


@dataclass(frozen=True)
class Visitor:
    """Somebody at the desk, with the person that their login is linked to, if any."""

    at: Desk
    person_id: UUID | None

    @property
    def events(self) -> Events:
        return Events(self.at.connection, self.at.tenant, self.at.identity.actor)

    @property
    def subscriptions(self) -> Subscriptions:
        return Subscriptions(self.at.connection, self.at.tenant, self.at.identity.actor)

    @property
    def is_admin(self) -> bool:
        return self.at.identity.role.reaches(Role.ADMIN)

    def required_person(self) -> UUID:
        if self.person_id is None:
            raise NotFound("You are not linked to a person here.")
        return self.person_id

    def may_change(self, event: Event) -> bool:
        return self.is_admin or (self.person_id is not None and event.organiser_id == self.person_id)

    async def own(self, event_id: int) -> Event:
        """The event, where they may change it."""
        event = await self.events.get(event_id)
        if not self.may_change(event):
            raise Forbidden("Only the organiser of the event, or an admin, may do this.")
        return event

    async def shown(self, event: Event) -> dict[str, Any]:
        return (await self.all_shown([event]))[0]

    async def all_shown(self, events: Sequence[Event]) -> list[dict[str, Any]]:
        joined = await self.subscriptions.joined_by(self.person_id, [event.id for event in events])
        return [
            shown_event(
                event,
                mine=self.may_change(event),
                joined=event.id in joined,
                join_url=self._join_url(event) if self.may_change(event) else None,
            )
            for event in events
        ]

    def _join_url(self, event: Event) -> str:
        return self.at.parts.event_links.url(Link(JOIN, self.at.tenant, event.id))


async def visitor(at: Desk) -> Visitor:
    user = at.identity.user_id
    linked = {} if user is None else await people_of_users(at.connection, at.tenant, [user])
    return Visitor(at, linked[user].id if user is not None and user in linked else None)
