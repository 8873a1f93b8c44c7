"""What a rule would have done with facts of the past: whom it would have told what. Nothing is written or sent."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import assert_never
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.channels.port import Channel
from tidings.spine.journal.reading import Fact, FactFilter, Facts, data_of
from tidings.spine.notify.audience import Selector
from tidings.spine.notify.hearing import NotTold, Told, verdict_of
from tidings.spine.notify.listeners import Heard
from tidings.spine.notify.reaching import next_people
from tidings.spine.notify.rules.model import Rule, matches
from tidings.spine.notify.rules.trials import Reached, Sample, Somebody, Trial, Tried
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


@dataclass(frozen=True)
class DryRun:
    """Tries rules of one tenant. To be used in a transaction of its own, which becomes read-only."""

    connection: Connection
    tenant: str
    renderer: Renderer
    clock: Callable[[], float] = time.monotonic
    _known: dict[tuple[Selector, ...], Reached] = field(default_factory=dict, init=False, repr=False)

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
                return Tried(fact, notice=notice, audience=await self._reached(tuple(notice.to), rule, people))
            case _:
                assert_never(verdict)

    async def _reached(self, selectors: tuple[Selector, ...], rule: Rule, shown: int) -> Reached:
        """Facts often have the same audience: each is looked for once."""
        if selectors not in self._known:
            found = await next_people(self.connection, self.tenant, selectors, None, MOST_COUNTED + 1)
            people = await self._people(found[: min(shown, MOST_SHOWN)], rule.body.channels)
            self._known[selectors] = Reached(min(len(found), MOST_COUNTED), len(found) > MOST_COUNTED, people)
        return self._known[selectors]

    async def _people(self, ids: Sequence[UUID], channels: Sequence[Channel]) -> tuple[Somebody, ...]:
        rows = await self.connection.fetch(_WHO, self.tenant, ids, [channel.value for channel in channels])
        return tuple(
            Somebody(row["id"], row["name"], {channel: channel.value in row["reachable"] for channel in channels})
            for row in rows
        )


def _heard(fact: Fact) -> Heard:
    return Heard(fact.id, fact.tenant, fact.type, data_of(fact.data), fact.occurred_at)
