"""Finds out what there is to know about a person and some facts: a few statements, however many facts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.delivery.seeing import statements
from tidings.spine.delivery.seeing.deliveries import DeliverySeen, deliveries_of
from tidings.spine.delivery.seeing.evidence import (
    Evidence,
    FactSeen,
    HeardBy,
    NoticeSeen,
    NotificationSeen,
    RuleSeen,
    Who,
    Work,
)

T = TypeVar("T")


@dataclass(frozen=True)
class Gathering:
    connection: Connection
    tenant: str
    who: Who

    async def about(self, facts: Sequence[UUID], alone: Sequence[UUID] = ()) -> list[Evidence]:
        """For each of these facts, in their order, what is known; then, for each of `alone`, notices without a fact."""
        setting = await self.connection.fetchrow(statements.SETTING, self.tenant)
        assert setting is not None
        known = {row["id"]: FactSeen(**row) for row in await self._fetch(statements.FACTS, facts)}
        preparing: dict[UUID, list[Work]] = defaultdict(list)
        for row in await self._fetch(statements.PREPARING, facts):
            preparing[row["fact_id"]].append(_work(row))
        heard = _by_fact(HeardBy, await self._fetch(statements.HEARD, facts))
        rules = _by_fact(RuleSeen, await self._fetch(statements.RULES, facts))
        notices = await self._notices(facts, alone)

        def of(fact: UUID | None, said: Iterable[NoticeSeen]) -> Evidence:
            return Evidence(
                setting["now"],
                self.who,
                None if fact is None else known.get(fact),
                frozenset(setting["served"]),
                setting["suspended_at"],
                () if fact is None else tuple(preparing[fact]),
                () if fact is None else tuple(heard[fact]),
                () if fact is None else tuple(rules[fact]),
                tuple(said),
            )

        lone = [notice for notice in notices.get(None, ()) if notice.id in set(alone)]
        return [*(of(fact, notices.get(fact, ())) for fact in facts), *(of(None, [notice]) for notice in lone)]

    async def _notices(self, facts: Sequence[UUID], alone: Sequence[UUID]) -> Mapping[UUID | None, list[NoticeSeen]]:
        before = UUID(int=max(self.who.id.int - 1, 0))
        rows = await self.connection.fetch(statements.NOTICES, self.tenant, facts, self.who.id, before, alone)
        incomplete = [row["id"] for row in rows if not row["complete"]]
        fanning = await self._fetch(statements.FANNING, incomplete) if incomplete else []
        works = {row["notice_id"]: _work(row) for row in fanning}
        deliveries: dict[UUID, list[DeliverySeen]] = defaultdict(list)
        told = [row["notification_id"] for row in rows if row["notification_id"] is not None]
        for each in await deliveries_of(self.connection, self.tenant, told):
            deliveries[each.notification_id].append(each)
        found: dict[UUID | None, list[NoticeSeen]] = defaultdict(list)
        for row in rows:
            found[row["fact_id"]].append(_notice(row, works.get(row["id"]), deliveries[row["notification_id"]]))
        return found

    async def _fetch(self, statement: str, ids: Sequence[UUID]) -> Sequence[Any]:
        return await self.connection.fetch(statement, self.tenant, ids)


def _work(row: Any) -> Work:
    names = ("kind", "status", "run_at", "attempts", "last_error", "finished_at")
    return Work(**{name: row[name] for name in names})


def _by_fact(made: type[T], rows: Iterable[Any]) -> defaultdict[UUID, list[T]]:
    found: defaultdict[UUID, list[T]] = defaultdict(list)
    for row in rows:
        given = dict(row)
        found[given.pop("fact_id")].append(made(**given))
    return found


def _notice(row: Any, work: Work | None, deliveries: Sequence[DeliverySeen]) -> NoticeSeen:
    notification = None
    if row["notification_id"] is not None:
        notification = NotificationSeen(
            row["notification_id"], tuple(row["missing"]), tuple(deliveries), row["routed"], row["targets"]
        )
    return NoticeSeen(
        row["id"],
        row["listener"],
        row["category"],
        tuple(row["channels"]),
        tuple(json.loads(row["audience"])),
        row["created_at"],
        row["run_at"],
        row["complete"],
        row["closed_at"],
        row["closed_reason"],
        work,
        row["belongs_now"],
        notification,
        row["topic"],
    )
