"""What a rule would have done with facts of the past: whom it would have told what. Nothing is written or sent."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import assert_never
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.channels.port import Channel
from tidings.spine.journal.reading import Fact, FactFilter, Facts, data_of
from tidings.spine.notify.audience import Selector
from tidings.spine.notify.fanning import CHOICE, CHOSEN
from tidings.spine.notify.hearing import NotTold, Told, verdict_of
from tidings.spine.notify.listeners import Heard
from tidings.spine.notify.reaching import next_people
from tidings.spine.notify.rules.model import Rule, matches
from tidings.spine.notify.rules.trials import Reached, Sample, Somebody, Trial, Tried
from tidings.spine.notify.saying import Notice
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.rendering import Renderer

MOST_FACTS = 200
MOST_SHOWN = 50
MOST_COUNTED = 1_000
LONGEST = timedelta(seconds=5)
_WHO = """
SELECT p.id, p.name, ARRAY(
    SELECT c FROM unnest($3::text[]) AS c
    WHERE c = 'websocket' OR EXISTS (
        SELECT FROM tidings.addresses a LEFT JOIN tidings.suppressions s USING (tenant, kind, fingerprint)
        WHERE a.person_id = p.id AND a.kind = tidings.address_kind(c) AND a.disabled_at IS NULL AND s.reason IS NULL
    )) AS reachable
FROM tidings.people p WHERE p.tenant = $1 AND p.id = ANY ($2::uuid[]) ORDER BY p.id
"""
# Those of them who chose where to hear of the topic, and whether anything of it could be used.
_CHOSE = f"""
SELECT p.id, EXISTS (
    SELECT FROM ({CHOSEN.format(person="p.id", choice="w")}) a LEFT JOIN tidings.suppressions s
        ON s.tenant = p.tenant AND s.kind = a.kind AND s.fingerprint = a.fingerprint
    WHERE s.reason IS NULL) AS reachable
FROM tidings.people p CROSS JOIN LATERAL ({CHOICE.format(topic="$3::text", tenant="$1", person="p.id")}) w
WHERE p.tenant = $1 AND p.id = ANY ($2::uuid[])
"""


@dataclass(frozen=True)
class DryRun:
    """Tries rules of one tenant. To be used in a transaction of its own, which becomes read-only."""

    connection: Connection
    tenant: str
    renderer: Renderer
    clock: Callable[[], float] = time.monotonic
    _known: dict[tuple[tuple[Selector, ...], str | None], Reached] = field(default_factory=dict, init=False, repr=False)

    async def run(self, rule: Rule, sample: Sample) -> Trial:
        await self.connection.execute("SET TRANSACTION READ ONLY")
        until = self.clock() + LONGEST.total_seconds()
        facts = await self._facts(rule.fact_type, sample)
        tried: list[Tried] = []
        for fact in facts:
            if self.clock() > until:
                break
            tried.append(await self._tried(rule, fact, sample.people))
        return Trial(tuple(tried), len(tried) == len(facts))

    async def _facts(self, fact_type: str, sample: Sample) -> Sequence[Fact]:
        journal = Facts(self.connection, self.tenant)
        if sample.fact_id is not None:
            return [await journal.get(sample.fact_id)]
        wanted = FactFilter(type=fact_type, since=sample.since, until=sample.until)
        return (await journal.list(wanted, None, min(sample.limit, MOST_FACTS))).items

    async def _tried(self, rule: Rule, fact: Fact, people: int) -> Tried:
        if not matches(rule.fact_type, fact.type):
            return Tried(fact, f"the fact is of type {fact.type}, not {rule.fact_type}")
        try:
            verdict = await asyncio.to_thread(verdict_of, rule, _heard(fact), self.renderer)
        except TemplateError as error:
            return Tried(fact, fault=error.placed)
        match verdict:
            case NotTold(reason):
                return Tried(fact, reason)
            case Told(notices):
                (notice,) = notices
                return Tried(fact, notice=notice, audience=await self._reached(notice, people))
            case _:
                assert_never(verdict)

    async def _reached(self, notice: Notice, shown: int) -> Reached:
        """Facts often have the same audience: each is looked for once."""
        key = (tuple(notice.to), notice.topic)
        if key not in self._known:
            found = await next_people(self.connection, self.tenant, notice.to, None, MOST_COUNTED + 1)
            people = await self._people(found[: min(shown, MOST_SHOWN)], notice)
            self._known[key] = Reached(min(len(found), MOST_COUNTED), len(found) > MOST_COUNTED, people)
        return self._known[key]

    async def _people(self, ids: Sequence[UUID], notice: Notice) -> tuple[Somebody, ...]:
        channels = [Channel(channel) for channel in notice.channels]
        rows = await self.connection.fetch(_WHO, self.tenant, ids, [channel.value for channel in channels])
        chose = await self._chose(ids, notice.topic)
        by_channel = {row["id"]: {channel: channel.value in row["reachable"] for channel in channels} for row in rows}
        return tuple(Somebody(row["id"], row["name"], chose.get(row["id"], by_channel[row["id"]])) for row in rows)

    async def _chose(self, ids: Sequence[UUID], topic: str | None) -> Mapping[UUID, Mapping[Channel, bool]]:
        """Integrations, in place of the channels, for those who chose some for the topic."""
        if topic is None:
            return {}
        rows = await self.connection.fetch(_CHOSE, self.tenant, ids, topic)
        return {row["id"]: {Channel.APPRISE: row["reachable"]} for row in rows}


def _heard(fact: Fact) -> Heard:
    return Heard(fact.id, fact.tenant, fact.type, data_of(fact.data), fact.occurred_at)
