"""Escalating: nobody has acted on a notice for as long as it said, so others are told, and again, up to a limit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.notify.issuing import Issuing
from tidings.spine.notify.matters.kinds import ESCALATE
from tidings.spine.notify.matters.words import words_of
from tidings.spine.outbox.handlers import KeyPolicy, Kind, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Again, Outcome, Succeeded

# The row is taken so that whoever acts at this moment closes what is said here, or is seen to have acted.
_STANDING = """
SELECT o.title, o.properties ->> 'locale' AS locale, o.escalation::text AS escalation, o.listener, o.number,
    o.closed_at IS NOT NULL OR EXISTS (SELECT FROM tidings.actions h
        WHERE h.tenant = o.tenant AND h.matter = o.matter AND h.won) AS over,
    (SELECT count(*) FROM tidings.notices e WHERE e.tenant = o.tenant AND e.matter = o.matter
        AND e.properties ->> 'escalates' = o.id::text) AS said
FROM tidings.notices o WHERE o.id = $1 FOR NO KEY UPDATE
"""
_SAY = """
WITH said AS (
    INSERT INTO tidings.notices (id, tenant, fact_id, listener, number, rule_version, title, body, template, level,
        category, channels, audience, properties, shared, max_attempts, expires_after, topic, attachments, link, matter,
        actions)
    SELECT tidings.uuid7(), o.tenant, o.fact_id, o.listener || '#' || o.number || '/escalation', $2, o.rule_version, $3,
        o.body, o.template, o.escalation ->> 'level', o.category,
        ARRAY(SELECT jsonb_array_elements_text(o.escalation -> 'channels')), o.escalation -> 'audience',
        o.properties || jsonb_build_object('escalates', o.id), true, o.max_attempts, o.expires_after, o.topic,
        o.attachments, o.link, o.matter, o.actions
    FROM tidings.notices o WHERE o.id = $1
    ON CONFLICT (fact_id, listener, number) DO NOTHING RETURNING id, tenant, run_at
), counted AS (
    INSERT INTO tidings.tallies (notice_id, tenant) SELECT id, tenant FROM said
)
SELECT id, tenant, run_at, false AS later, NULL::timestamptz AS escalates_at FROM said
"""


@dataclass(frozen=True)
class Escalating:
    issuing: Issuing

    def kind(self) -> Kind:
        return Kind(ESCALATE, self.escalate, Shape.TRANSACTION, KeyPolicy.REARM, batch=1)

    async def escalate(self, connection: Connection, intents: Sequence[Intent]) -> Outcome:
        """Said, and the next time written down, in one transaction; nothing where somebody has acted."""
        (intent,) = intents
        notice = UUID(intent.data["notice"])
        row = await connection.fetchrow(_STANDING, notice)
        if row is None or row["over"]:
            return Succeeded()
        escalation: dict[str, Any] = json.loads(row["escalation"])
        number = row["said"] + 1
        if number > escalation["times"]:
            return Succeeded()
        title = words_of(row["locale"]).waiting.format(title=row["title"])
        await self.issuing.send_out(connection, await connection.fetch(_SAY, notice, number, title))
        if number == escalation["times"]:
            return Succeeded()
        return Again(await connection.fetchval("SELECT now() + $1::interval", timedelta(seconds=escalation["after"])))
