"""Saying that inboxes have changed, to every API process at once: ids only, those who listen read the rows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from tidings.kit.db import Connection

CHANNEL = "tidings_inbox"
LARGEST = 7_900
"""Bytes of one announcement; PostgreSQL takes less than 8,000."""
_ID = 36  # bytes of an id in the text: 32 digits, two quotes, a comma, and one to spare
_HEAD = 120


class Change(StrEnum):
    """What happened to notifications."""

    NEW = "new"
    READ = "read"
    UNREAD = "unread"
    ARCHIVED = "archived"
    UNARCHIVED = "unarchived"


@dataclass(frozen=True, slots=True)
class Announcement:
    """A change in one person's inbox. No ids: there were too many to name."""

    tenant: str
    person_id: UUID
    change: Change
    ids: tuple[UUID, ...]


async def announce(
    connection: Connection, tenant: str, items: Iterable[tuple[UUID, UUID]], change: Change = Change.NEW
) -> None:
    """Tells that notifications (person and notification) are new, or have changed; heard when the transaction commits.

    One statement for any number of them, of any number of people.
    """
    by_person: dict[UUID, list[UUID]] = defaultdict(list)
    for person_id, notification_id in items:
        by_person[person_id].append(notification_id)
    await _notify(connection, list(payloads(tenant, change, by_person.items())))


async def announce_many(connection: Connection, tenant: str, person_id: UUID, change: Change) -> None:
    """Tells that more of a person's notifications have changed than can be named."""
    await _notify(connection, list(payloads(tenant, change, [(person_id, [])])))


def payloads(tenant: str, change: Change, people: Iterable[tuple[UUID, Sequence[UUID]]]) -> Iterator[str]:
    """Announcements as text, as few as the limit allows; one person's ids may be spread over several."""
    batch: list[list[str | list[str]]] = []
    size = _HEAD
    for person_id, ids in people:
        for chunk in _chunks(ids):
            cost = 2 * _ID + _ID * len(chunk)
            if batch and size + cost > LARGEST:
                yield _payload(tenant, change, batch)
                batch, size = [], _HEAD
            batch.append([person_id.hex, [each.hex for each in chunk]])
            size += cost
    if batch:
        yield _payload(tenant, change, batch)


def heard(payload: str) -> list[Announcement]:
    """What an announcement says. Anybody on the database can send one: what is none says nothing."""
    try:
        said = json.loads(payload)
        tenant, change = said["tenant"], Change(said["change"])
        return [
            Announcement(str(tenant), UUID(person), change, tuple(map(UUID, ids))) for person, ids in said["people"]
        ]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []


async def _notify(connection: Connection, texts: Sequence[str]) -> None:
    if texts:
        await connection.execute(f"SELECT pg_notify('{CHANNEL}', text) FROM unnest($1::text[]) text", texts)


def _chunks(ids: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    most = (LARGEST - _HEAD) // _ID - 2
    return (ids[start : start + most] for start in range(0, max(len(ids), 1), most))


def _payload(tenant: str, change: Change, people: Sequence[Sequence[str | list[str]]]) -> str:
    return json.dumps({"tenant": tenant, "change": change, "people": people}, separators=(",", ":"))
