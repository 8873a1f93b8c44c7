"""Issuing notices: they are written, reach their first people at once, and what is left of them has an intent.

Whoever issues some does so in its own transaction.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.notify import attaching
from tidings.spine.notify.audience import as_json
from tidings.spine.notify.fanning import FanOut
from tidings.spine.notify.kinds import FAN_OUT
from tidings.spine.notify.matters.kinds import ESCALATE
from tidings.spine.notify.saying import Notice
from tidings.spine.outbox.intents import Row

MODULE = "notify"
_INLINE = 100  # people whom a notice reaches at once; more are reached by an intent of its own
_COLUMNS = 26

_SAY = """
WITH said AS (
    INSERT INTO tidings.notices (id, tenant, fact_id, listener, number, rule_version, title, body, template, level,
        category, channels, audience, properties, shared, run_at, max_attempts, expires_after, topic, attachments, link,
        matter, actions, escalation, filed, addresses)
    SELECT i.id, n.tenant, n.fact, n.listener, n.number, n.version, n.title, n.body, n.template, n.level,
        n.category, string_to_array(n.channels, ' '), n.audience, n.properties, n.shared,
        greatest(now(), n.due + n.delay), n.max_attempts, n.expires_after, n.topic, n.attachments, n.link,
        coalesce(n.matter, CASE WHEN n.actions <> '' THEN 'notice:' || i.id END), string_to_array(n.actions, ' '),
        n.escalation, n.filed, string_to_array(nullif(n.addresses, ''), ' ')::uuid[]
    FROM unnest($1::text[], $2::uuid[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[],
        $9::text[], $10::text[], $11::text[], $12::jsonb[], $13::jsonb[], $14::boolean[], $15::interval[], $16::int[],
        $17::interval[], $18::text[], $19::jsonb[], $20::text[], $21::text[], $22::text[], $23::jsonb[], $24::boolean[],
        $25::timestamptz[], $26::text[])
        AS n(tenant, fact, listener, number, version, title, body, template, level, category, channels, audience,
             properties, shared, delay, max_attempts, expires_after, topic, attachments, link, matter, actions,
             escalation, filed, due, addresses), LATERAL (SELECT tidings.uuid7() AS id WHERE n.tenant IS NOT NULL) i
    ORDER BY n.fact, n.listener, n.number
    ON CONFLICT (fact_id, listener, number) DO NOTHING
    RETURNING id, tenant, run_at, escalation
), counted AS (
    INSERT INTO tidings.tallies (notice_id, tenant) SELECT id, tenant FROM said
)
SELECT id, tenant, run_at, run_at > now() AS later, run_at + make_interval(secs => (escalation ->> 'after')::float)
    AS escalates_at FROM said
"""
_LATER = (
    "SELECT tidings.schedule_as($1, ARRAY[$2], ARRAY[$3::text::jsonb], ARRAY[$4], ARRAY[$5::timestamptz], $6, NULL)"
)


@dataclass(frozen=True)
class Saying:
    """A notice, and by whom it is said because of what."""

    notice: Notice
    tenant: str
    listener: str
    fact_id: UUID | None
    number: int = 0
    rule_version: int | None = None
    due: datetime | None = None


@dataclass(frozen=True)
class Issuing:
    fan_out: FanOut

    async def say(self, connection: Connection, said: Sequence[Saying]) -> None:
        """What was said before, by the same listener of the same fact under the same number, is not said again."""
        rows = [_row(each) for each in said]
        columns = [[row[n] for row in rows] for n in range(_COLUMNS)]
        await self.send_out(connection, await connection.fetch(_SAY, *columns))

    async def send_out(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Those due now reach their first people at once; what is left, or comes later, has an intent."""
        now = [row["id"] for row in rows if not row["later"]]
        more = set(await self.fan_out.reach(connection, now, _INLINE)) if now else set()
        for row in rows:
            if row["later"] or row["id"] in more:
                await _schedule(connection, FAN_OUT, row, row["run_at"])
            if row["escalates_at"] is not None:
                await _schedule(connection, ESCALATE, row, row["escalates_at"])


async def _schedule(connection: Connection, kind: str, row: Row, at: datetime) -> None:
    payload = json.dumps({"notice": str(row["id"])})
    await connection.execute(_LATER, MODULE, kind, payload, str(row["id"]), at, row["tenant"])


def _row(said: Saying) -> tuple[Any, ...]:
    notice = said.notice
    return (
        said.tenant,
        said.fact_id,
        said.listener,
        said.number,
        said.rule_version,
        notice.title,
        notice.body,
        notice.template,
        str(notice.level),
        notice.category,
        " ".join(notice.channels),
        json.dumps(as_json(notice.to)),
        json.dumps(dict(notice.properties)),
        notice.shared,
        notice.delay,
        notice.max_attempts,
        notice.expires_after,
        notice.topic,
        attaching.as_json(notice.attachments),
        notice.link,
        notice.matter,
        " ".join(notice.actions or ()),
        None if notice.escalation is None else json.dumps(notice.escalation.as_json()),
        notice.filed,
        said.due,
        " ".join(map(str, notice.addresses)),
    )
