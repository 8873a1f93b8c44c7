"""Saying that inboxes have changed, to every API process at once: ids only, those who listen read the rows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.notify.position import HERE, Position, parse_position

CHANNEL = "tidings_inbox"
LARGEST = 7_900
"""Bytes of one announcement but for its position; PostgreSQL takes less than 8,000."""
_ID = 36  # bytes of an id in the text: 32 digits, two quotes, a comma, and one to spare
_HEAD = 120
_TELL = f"SELECT pg_notify('{CHANNEL}', {HERE} || ' ' || text) FROM unnest($1::text[]) text"
_KEEP = """
INSERT INTO tidings.announcements (tenant, change, person_id, notification_id)
SELECT $2, $3, * FROM unnest($4::uuid[], $5::uuid[])
"""
Item: TypeAlias = "tuple[UUID, UUID | None]"
"""A person, and the notification; None: more of theirs than can be named."""


class Change(StrEnum):
    """What happened to notifications."""

    NEW = "new"
    READ = "read"
    UNREAD = "unread"
    ARCHIVED = "archived"
    UNARCHIVED = "unarchived"
    HANDLED = "handled"


@dataclass(frozen=True, slots=True)
class Announcement:
    """A change in one person's inbox. No ids: there were too many to name. Who has heard of it, and of what came before
    it, has got to `position`."""

    tenant: str
    person_id: UUID
    change: Change
    ids: tuple[UUID, ...]
    position: Position


async def announce(connection: Connection, tenant: str, items: Sequence[Item], change: Change = Change.NEW) -> None:
    """Tells what happened to notifications; heard when the transaction commits, and kept for a day for those who do not
    listen at that moment.

    One statement for any number of them, of any number of people.
    """
    if items:
        people, ids = zip(*items, strict=True)
        texts = list(payloads(tenant, change, _by_person(items)))
        await connection.execute(f"WITH kept AS ({_KEEP}) {_TELL}", texts, tenant, str(change), people, ids)


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
    position, _, text = payload.partition(" ")
    try:
        said, at = json.loads(text), parse_position(position)
        tenant, change = said["tenant"], Change(said["change"])
        return [
            Announcement(str(tenant), UUID(person), change, tuple(map(UUID, ids)), at) for person, ids in said["people"]
        ]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []


def _by_person(items: Iterable[Item]) -> Iterable[tuple[UUID, Sequence[UUID]]]:
    found: dict[UUID, list[UUID]] = defaultdict(list)
    for person_id, notification_id in items:
        found[person_id].extend([] if notification_id is None else [notification_id])
    return found.items()


def _chunks(ids: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    most = (LARGEST - _HEAD) // _ID - 2
    return (ids[start : start + most] for start in range(0, max(len(ids), 1), most))


def _payload(tenant: str, change: Change, people: Sequence[Sequence[str | list[str]]]) -> str:
    return json.dumps({"tenant": tenant, "change": change, "people": people}, separators=(",", ":"))
