"""What was found about a person and a fact: all that `explain` goes by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.spine.delivery.seeing.deliveries import DeliverySeen


@dataclass(frozen=True)
class Who:
    """The person who is asked about. One who was deleted has an id and nothing else."""

    id: UUID
    name: str | None = None
    external_id: str | None = None
    created_at: datetime | None = None


@dataclass(frozen=True)
class FactSeen:
    id: UUID
    type: str
    occurred_at: datetime


@dataclass(frozen=True)
class Work:
    """An intent on the way: to prepare notices, or to fan one out."""

    kind: str
    status: str
    run_at: datetime
    attempts: int = 0
    last_error: str | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True)
class RuleSeen:
    """A rule that is there now, and whether it was for such facts when this one was recorded (None: not known)."""

    id: UUID
    name: str
    version: int
    enabled: bool
    fact_type: str
    category: str
    created_at: datetime
    updated_at: datetime
    held_then: bool | None = None

    @property
    def listener(self) -> str:
        return f"rule:{self.id}"


@dataclass(frozen=True)
class HeardBy:
    """What a listener, or a rule (then with name and version), did with the fact."""

    listener: str
    told: bool
    verdict: str
    at: datetime
    rule: str | None = None
    rule_version: int | None = None
    version_now: int | None = None


@dataclass(frozen=True)
class NotificationSeen:
    """`routed`: to `targets` integrations that they chose for the notice's topic, whatever its channels."""

    id: UUID
    missing: tuple[str, ...]
    deliveries: tuple[DeliverySeen, ...]
    routed: bool = False
    targets: int = 0


@dataclass(frozen=True)
class NoticeSeen:
    """A notice, and what of it is the person's. `belongs_now`: whether they are in its audience at this moment."""

    id: UUID
    listener: str
    category: str
    channels: tuple[str, ...]
    audience: tuple[Mapping[str, Any], ...]
    created_at: datetime
    run_at: datetime
    complete: bool
    closed_at: datetime | None = None
    closed_reason: str | None = None
    fan_out: Work | None = None
    belongs_now: bool = False
    notification: NotificationSeen | None = None
    topic: str | None = None


@dataclass(frozen=True)
class Evidence:
    """`served` are the kinds and channels that a worker which is alive serves; `preparing`, what finds out whom to
    tell: an intent for each listener."""

    now: datetime
    who: Who
    fact: FactSeen | None
    served: frozenset[str] = frozenset()
    suspended_at: datetime | None = None
    preparing: tuple[Work, ...] = ()
    heard: tuple[HeardBy, ...] = ()
    rules: tuple[RuleSeen, ...] = ()
    notices: tuple[NoticeSeen, ...] = ()
