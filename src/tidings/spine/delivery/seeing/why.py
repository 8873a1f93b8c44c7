"""Why a person did or did not get something: of one fact, or over a span of time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.ids import first_id_at
from tidings.spine.delivery.seeing.causes import Answer, Cause, Got, altogether
from tidings.spine.delivery.seeing.evidence import Evidence, FactSeen, Who
from tidings.spine.delivery.seeing.explaining import explain
from tidings.spine.delivery.seeing.gathering import Gathering
from tidings.spine.delivery.seeing.who import find_person
from tidings.spine.delivery.seeing.wording import moment

MOST_MATTERS = 20
_LOOKED_AT = 5_000
_WEEK = timedelta(days=7)
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_SLACK = 600_000  # milliseconds: the id of a notice is of its statement, `created_at` of its transaction

_WITHIN = "f.tenant = r.tenant AND f.occurred_at >= $3 AND f.occurred_at < $4"
_RULED = f"""
SELECT f.id FROM tidings.rules r CROSS JOIN LATERAL (
    (SELECT f.id, f.occurred_at FROM tidings.facts f
     WHERE {_WITHIN} AND f.type = r.fact_type ORDER BY f.seq DESC LIMIT $5)
    UNION ALL
    (SELECT f.id, f.occurred_at FROM tidings.facts f
     WHERE {_WITHIN} AND r.fact_type LIKE '%*' AND starts_with(f.type, rtrim(r.fact_type, '*'))
     ORDER BY f.seq DESC LIMIT $5)
) f
WHERE r.tenant = $1 AND ($2::text IS NULL OR coalesce(r.body ->> 'category', 'general') = $2)
GROUP BY f.id, f.occurred_at ORDER BY f.occurred_at DESC LIMIT $5
"""
_SAID = f"""
SELECT n.id, n.fact_id FROM (
    SELECT id, fact_id, category, created_at FROM tidings.notices
    WHERE tenant = $1 AND id >= $6 AND id < $7 ORDER BY id DESC LIMIT {_LOOKED_AT}) n
WHERE ($2::text IS NULL OR n.category = $2) AND n.created_at >= $3 AND n.created_at < $4 ORDER BY n.id DESC LIMIT $5
"""


@dataclass(frozen=True)
class Matter:
    """One fact (or a notice that no fact caused), and what became of it for this person."""

    fact: FactSeen | None
    answers: tuple[Answer, ...]

    @property
    def got(self) -> Got:
        return altogether(self.answers)


@dataclass(frozen=True)
class Explanation:
    """`truncated`: there are more matters than are told; ask for a shorter time."""

    who: Who
    matters: tuple[Matter, ...]
    truncated: bool = False


@dataclass(frozen=True)
class Why:
    connection: Connection
    tenant: str

    async def of_fact(self, person: str, fact_id: UUID, category: str | None = None) -> Explanation:
        """`NotFound` where there is no such person; a fact that is not there is an answer."""
        who = await find_person(self.connection, self.tenant, person)
        (evidence,) = await Gathering(self.connection, self.tenant, who).about([fact_id])
        return Explanation(who, (_matter(evidence, category),))

    async def over(self, person: str, since: datetime, until: datetime, category: str | None = None) -> Explanation:
        """The newest facts that rules are for, and the newest notices, within that time; of one category, or of all."""
        who = await find_person(self.connection, self.tenant, person)
        span = (self.tenant, category, since, until, MOST_MATTERS + 1)
        ruled = await self.connection.fetch(_RULED, *span)
        said = await self.connection.fetch(_SAID, *span, first_id_at(since, -_SLACK), first_id_at(until, _SLACK))
        facts = {row["id"]: None for row in ruled} | {row["fact_id"]: None for row in said if row["fact_id"]}
        alone = [row["id"] for row in said if row["fact_id"] is None]
        found = await Gathering(self.connection, self.tenant, who).about(
            list(facts)[:MOST_MATTERS], alone[:MOST_MATTERS]
        )
        matters = tuple(_matter(each, category) for each in found)
        more = len(facts) > MOST_MATTERS or len(alone) > MOST_MATTERS
        return Explanation(who, matters or (_nothing(category, since, until),), more)


def _nothing(category: str | None, since: datetime, until: datetime) -> Matter:
    what, whose = ("Nothing", "a rule") if category is None else (f"Nothing of the category {category}", "a rule of it")
    said = f"{what} was said from {moment(since)} until {moment(until)}, and no fact was recorded that {whose} is for."
    return Matter(None, (Answer(Cause.NOTHING_HAPPENED, (said,)),))


def _matter(evidence: Evidence, category: str | None) -> Matter:
    if category is None or evidence.fact is None:
        return Matter(evidence.fact, explain(evidence))
    only = _only(evidence, category)
    if only.heard or only.rules or only.notices:
        return Matter(only.fact, explain(only))
    said = (
        f"No rule of the category {category} is for facts of type {evidence.fact.type}, and no notice of it was made."
    )
    return Matter(only.fact, (Answer(Cause.NOTHING_HAPPENED, (said,)),))


def _only(evidence: Evidence, category: str) -> Evidence:
    """Without what is of other categories. A rule that told somebody is of the category of what it said."""
    rules = tuple(rule for rule in evidence.rules if rule.category == category)
    notices = tuple(notice for notice in evidence.notices if notice.category == category)
    silent, said = {rule.listener for rule in rules}, {notice.listener for notice in notices}
    heard = tuple(
        each for each in evidence.heard if each.listener in said or (each.listener in silent and not each.told)
    )
    told = {each.listener for each in evidence.heard if each.told}
    return replace(
        evidence, rules=tuple(rule for rule in rules if rule.listener not in told), notices=notices, heard=heard
    )


def span(since: datetime | None, until: datetime | None, now: datetime) -> tuple[datetime, datetime]:
    """The time that is asked about: until now, and from a week before that, where no more is said."""
    end = until or now
    return since or max(end, _EARLIEST) - _WEEK, end
