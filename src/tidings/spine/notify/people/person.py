"""A person, and what is to be written of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import Any
from uuid import UUID

from tidings.spine.notify.people.addresses import Address, Kind, NewAddress


@dataclass(frozen=True)
class QuietHours:
    """From when until when, by the person's own clock."""

    begin: time
    end: time


@dataclass(frozen=True)
class Person:
    """Somebody who can be told."""

    id: UUID
    external_id: str | None
    user_type: str | None
    name: str
    locale: str | None
    timezone: str | None
    quiet_hours: QuietHours | None
    user_id: UUID | None
    created_at: datetime
    updated_at: datetime
    addresses: Sequence[Address] = ()


COLUMNS = ("external_id", "user_type", "name", "locale", "timezone", "quiet_from", "quiet_until", "user_id")


@dataclass(frozen=True)
class Writing:
    """What is set of a person: columns of `COLUMNS`, and for each kind named all their addresses of it. The rest stays
    as it is."""

    columns: Mapping[str, Any]
    addresses: Mapping[Kind, Sequence[NewAddress]] = field(default_factory=dict)


@dataclass(frozen=True)
class PeopleFilter:
    """Which people; all of them where nothing is said."""

    external_id: str | None = None
    user_type: str | None = None
    email: str | None = None  # as its fingerprint
    group_id: UUID | None = None
    name_prefix: str | None = None


def person_of(row: Any, addresses: Sequence[Address]) -> Person:
    quiet = None if row["quiet_from"] is None else QuietHours(row["quiet_from"], row["quiet_until"])
    return Person(
        row["id"],
        row["external_id"],
        row["user_type"],
        row["name"],
        row["locale"],
        row["timezone"],
        quiet,
        row["user_id"],
        row["created_at"],
        row["updated_at"],
        addresses,
    )
