"""Everything that one fact caused, as one picture: bounded, however many people it reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.delivery.seeing import trace_statements as statements
from tidings.spine.delivery.seeing.deliveries import DeliverySeen, deliveries_of
from tidings.spine.delivery.seeing.evidence import HeardBy
from tidings.spine.delivery.seeing.statements import HEARD
from tidings.spine.journal.reading import Fact, Facts


@dataclass(frozen=True)
class IntentTraced:
    """`notice_id` where it sends a notice out."""

    id: UUID
    kind: str
    status: str
    attempts: int
    last_error: str | None
    due_at: datetime
    run_at: datetime
    created_at: datetime
    finished_at: datetime | None
    notice_id: UUID | None = None


@dataclass(frozen=True)
class Tally:
    """How a notice stands. `complete`: everybody in its audience has been reached."""

    complete: bool
    people: int
    no_target: int
    open: int
    sent: int
    skipped: int
    failed: int
    settled_at: datetime | None


@dataclass(frozen=True)
class NoticeTraced:
    id: UUID
    listener: str
    number: int
    title: str
    category: str
    level: str
    channels: Sequence[str]
    run_at: datetime
    created_at: datetime
    closed_at: datetime | None
    closed_reason: str | None
    tally: Tally


@dataclass(frozen=True)
class NotificationTraced:
    """`routed`: to what the person chose for the topic; without `targets`, that was gone or turned off."""

    id: UUID
    notice_id: UUID
    person_id: UUID
    person_name: str | None
    missing: Sequence[str]
    targets: int
    routed: bool
    read_at: datetime | None
    created_at: datetime


@dataclass(frozen=True)
class DeliveryCount:
    """`open`: it goes on; what has failed and is open is tried again."""

    notice_id: UUID
    channel: str
    status: str
    open: bool
    count: int


@dataclass(frozen=True)
class FactTraced:
    """A fact that came of it. `notice_id` where it says that a notice is settled."""

    id: UUID
    type: str
    occurred_at: datetime
    notice_id: UUID | None


@dataclass(frozen=True)
class Trace:
    """`notifications` and `deliveries` are the first ones of each notice; `tally` has all of them, and `counts` says
    of how many of the first they are (`counted`). `truncated`: there is more of something than is shown."""

    fact: Fact
    intents: Sequence[IntentTraced]
    listeners: Sequence[HeardBy]
    notices: Sequence[NoticeTraced]
    notifications: Sequence[NotificationTraced]
    deliveries: Sequence[DeliverySeen]
    counts: Sequence[DeliveryCount]
    counted: int
    facts: Sequence[FactTraced]
    truncated: bool


@dataclass(frozen=True)
class Traces:
    connection: Connection
    tenant: str

    async def of(self, fact_id: UUID) -> Trace:
        fact = await Facts(self.connection, self.tenant).get(fact_id)
        notices = [_notice(row) for row in await self._fetch(statements.NOTICES, fact_id)]
        ids = [notice.id for notice in notices]
        each = max(statements.MOST_PEOPLE // max(len(ids), 1), 1)
        people = [NotificationTraced(**row) for row in await self._fetch(statements.NOTIFICATIONS, ids, each)]
        counts = [DeliveryCount(**row) for row in await self._fetch(statements.COUNTS, ids)] if ids else []
        intents = await self._fetch(statements.INTENTS, fact_id, fact.occurred_at)
        intents += await self._fetch(statements.FAN_OUTS, ids)
        return Trace(
            fact,
            [IntentTraced(**row) for row in intents],
            [_heard(row) for row in await self._fetch(HEARD, [fact_id])],
            notices,
            people,
            await deliveries_of(self.connection, self.tenant, [one.id for one in people]),
            counts,
            min(sum(notice.tally.people for notice in notices), statements.MOST_COUNTED),
            [FactTraced(**row) for row in await self._fetch(statements.CAUSED, ids, fact.seq, str(fact_id))],
            len(people) < sum(notice.tally.people for notice in notices) or len(notices) == statements.MOST_NOTICES,
        )

    async def _fetch(self, statement: str, *values: Any) -> list[Any]:
        return await self.connection.fetch(statement, self.tenant, *values)


def _notice(row: Any) -> NoticeTraced:
    given = dict(row)
    tally = Tally(**{name: given.pop(name) for name in Tally.__dataclass_fields__})
    return NoticeTraced(**given, tally=tally)


def _heard(row: Any) -> HeardBy:
    given = dict(row)
    del given["fact_id"]
    return HeardBy(**given)
