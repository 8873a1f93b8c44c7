"""What is said of the facts of this module, and to whom. Broadcasts go to all who subscribed to the event's topic, or
to some of them; everything else to one person. Everybody hears of it where they chose to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tidings.kit.db import Connection
from tidings.modules.events import calendar, words
from tidings.modules.events.links import CONFIRM, PERSONAL
from tidings.modules.events.model import CATEGORY, Status, topic_of
from tidings.modules.events.snapshot import written
from tidings.modules.events.words import Said
from tidings.spine.channels.port import Channel, Level
from tidings.spine.notify.attaching import TextAttachment
from tidings.spine.notify.audience import By, Selector
from tidings.spine.notify.hearing import NotTold
from tidings.spine.notify.listeners import Heard, Listener
from tidings.spine.notify.saying import Notice
from tidings.spine.outbox.intents import Row

CHANNELS = (Channel.EMAIL, Channel.PUSH, Channel.SLACK, Channel.WEBSOCKET)
"""Where somebody hears of an event who chose nothing else."""
REMINDERS = "events.reminder"
BROADCASTS = "events.broadcast"
_CONFIRMATION = "confirmation"
_SHORTEST = timedelta(hours=1)
_WEEK = timedelta(days=7)


@dataclass(frozen=True)
class EventListeners:
    public_url: str

    def listeners(self) -> list[Listener]:
        return [
            Listener(REMINDERS, ("event.reminder_due",), self.reminders, batch=True, asking=True),
            Listener(BROADCASTS, ("event.broadcast",), self.broadcasts, batch=True, asking=True),
            Listener("events.welcome", ("event.joined",), self.welcome),
            Listener("events.confirmation", ("event.join_requested",), self.confirmation),
            Listener("events.live", ("event.live",), self.live, asking=True),
        ]

    async def reminders(self, connection: Connection, facts: Sequence[Heard]) -> list[Notice | NotTold]:
        """Not of an event that was cancelled or moved since."""
        events = await _events(connection, facts)
        return [_outdated(events, fact) or self.reminder(fact) for fact in facts]

    async def broadcasts(self, connection: Connection, facts: Sequence[Heard]) -> list[Notice | NotTold]:
        """Of an event that was cancelled, that alone."""
        events = await _events(connection, facts)
        return [_overtaken(events, fact) or self.broadcast(fact) for fact in facts]

    def reminder(self, fact: Heard) -> Notice:
        """Of no use once the event has begun, but for one that came shortly before."""
        event, offset = fact.data["event"], fact.data["offset"]
        said = words.reminder(event, offset, words.reader_of(fact.data))
        left = timedelta(0) if offset is None else datetime.fromisoformat(event["startsAt"]) - fact.occurred_at
        return self._to_one(fact.data, said, Level.WARNING, expires_after=max(left, _SHORTEST))

    async def welcome(self, fact: Heard) -> Notice:
        event, reader = fact.data["event"], words.reader_of(fact.data)
        return self._to_one(fact.data, reader.of_event(reader.words.joined_title, reader.words.joined, event))

    async def confirmation(self, fact: Heard) -> Notice:
        """By e-mail alone: whoever reads it holds the mailbox. It says nothing of the event that is not on its page."""
        event, reader = fact.data["event"], words.reader_of(fact.data)
        said = reader.of_event(reader.words.confirm_title, reader.words.confirm, event)
        return Notice(
            said.title,
            said.body,
            _people([fact.data["personId"]]),
            [Channel.EMAIL],
            category=_CONFIRMATION,
            properties={"actionLabel": reader.words.confirm_label},
            link=CONFIRM,
            expires_after=_WEEK,
        )

    async def live(self, connection: Connection, fact: Heard) -> Notice | None:
        event = fact.data["event"]
        organiser = await connection.fetchrow(
            "SELECT locale, timezone FROM tidings.people WHERE tenant = $1 AND id = $2::text::uuid",
            fact.tenant,
            event["organiserId"],
        )
        if organiser is None:
            return None
        reader = words.reader_of({**organiser, "event": event})
        said = reader.of_event(reader.words.live_title, reader.words.live, event)
        properties = self._properties(event, reader.words.details)
        return Notice(
            said.title, said.body, _people([event["organiserId"]]), CHANNELS, category=CATEGORY, properties=properties
        )

    def broadcast(self, fact: Heard) -> Notice:
        data = fact.data
        event, some = data["event"], data.get("personIds")
        said, with_calendar = _broadcast_words(data)
        return Notice(
            said.title,
            said.body,
            [Selector(By.TOPIC, (topic_of(event["id"]),))] if some is None else _people(some),
            CHANNELS,
            data["level"],
            CATEGORY,
            properties=self._properties(event, "Details"),
            topic=topic_of(event["id"]),
            attachments=[_attached(event)] if with_calendar else [],
            link=PERSONAL,
        )

    def _to_one(
        self, data: Mapping[str, Any], said: Said, level: Level = Level.INFO, expires_after: timedelta | None = None
    ) -> Notice:
        event = data["event"]
        return Notice(
            said.title,
            said.body,
            _people([data["personId"]]),
            CHANNELS,
            level,
            CATEGORY,
            properties=self._properties(event, words.reader_of(data).words.details),
            expires_after=expires_after,
            topic=topic_of(event["id"]),
            attachments=[_attached(event)],
            link=PERSONAL,
        )

    def _properties(self, event: Mapping[str, Any], label: str) -> dict[str, Any]:
        return {"actionUrl": f"{self.public_url}/events/{event['id']}", "actionLabel": label}


async def _events(connection: Connection, facts: Sequence[Heard]) -> Mapping[int, Row]:
    """The events as they are. Whoever changes one waits until what is said of it is recorded, and then closes it."""
    ids = {fact.data["eventId"] for fact in facts}
    rows = await connection.fetch(
        "SELECT id, status, starts_at FROM tidings.events WHERE id = ANY ($1::bigint[]) ORDER BY id FOR SHARE",
        list(ids),
    )
    return {row["id"]: row for row in rows}


def _outdated(events: Mapping[int, Row], fact: Heard) -> NotTold | None:
    event = events.get(fact.data["eventId"])
    if event is None:
        return NotTold("event_not_found")
    if event["status"] == Status.CANCELLED:
        return NotTold("event_cancelled")
    moved = fact.data["offset"] is not None and written(event["starts_at"]) != fact.data["event"]["startsAt"]
    return NotTold("event_moved") if moved else None


def _overtaken(events: Mapping[int, Row], fact: Heard) -> NotTold | None:
    event = events.get(fact.data["eventId"])
    if event is None:
        return NotTold("event_not_found")
    cancelled = event["status"] == Status.CANCELLED and fact.data["kind"] != "cancelled"
    return NotTold("event_cancelled") if cancelled else None


def _broadcast_words(data: Mapping[str, Any]) -> tuple[Said, bool]:
    """What is said, and whether calendars are to hear of it."""
    match data["kind"]:
        case "updated":
            return words.update(data["event"], data["changes"]), True
        case "cancelled":
            return words.cancellation(data["event"]), True
        case _:
            return Said(data["title"], data["body"]), False


def _attached(event: Mapping[str, Any]) -> TextAttachment:
    return TextAttachment(calendar.FILE_NAME, calendar.media_type(event), calendar.one_event(event))


def _people(ids: Sequence[str]) -> list[Selector]:
    return [Selector(By.PERSON, tuple(ids))]
