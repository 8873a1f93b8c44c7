"""From facts to notices: every listener hears of every fact once, by an intent of its own; rules are one listener.

Runs in the transaction that settles the intents. What a listener did with a fact is recorded with it (`processed_by`),
so that a rerun, after a rule failed, skips the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.journal.reading import data_of
from tidings.spine.notify.fanning import CHUNK
from tidings.spine.notify.hearing import CouldNot, Hearing, NotTold, Told, Verdict, is_for
from tidings.spine.notify.issuing import Issuing, Saying
from tidings.spine.notify.kinds import FAN_OUT, PREPARE, RULES, kind_of
from tidings.spine.notify.listeners import Heard, Listener
from tidings.spine.outbox.handlers import Function, KeyPolicy, Kind, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Again, Each, Failed, Outcome, Succeeded

_Done: TypeAlias = "set[tuple[UUID, str]]"
_AT_ONCE = 500  # facts in a transaction

_FACTS = """
SELECT f.id, f.tenant, f.type, f.data::text AS data, f.stream_type, f.stream_id, f.occurred_at, t.name AS tenant_name
FROM tidings.facts f JOIN tidings.tenants t ON t.id = f.tenant WHERE f.id = ANY ($1::uuid[])
"""
_RECORD = """
INSERT INTO tidings.processed_by (fact_id, listener, tenant, rule_version, told, verdict)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::boolean[], $6::text[]) ORDER BY 1, 2
ON CONFLICT DO NOTHING
"""


@dataclass
class _Work:
    """What came of a batch so far: what to record, what to say, and which facts must be heard again."""

    records: list[tuple[Any, ...]] = field(default_factory=list)
    notices: list[Saying] = field(default_factory=list)
    failed: dict[UUID | None, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, fact: Heard, listener: str, version: int | None, verdict: Verdict) -> None:
        match verdict:
            case CouldNot(error):
                self.failed[fact.id].append(error)
            case NotTold(reason):
                self.records.append((fact.id, listener, fact.tenant, version, False, reason))
            case Told(notices):
                self.records.append(
                    (
                        fact.id,
                        listener,
                        fact.tenant,
                        version,
                        True,
                        "told" if len(notices) == 1 else f"told, {len(notices)} notices",
                    )
                )
                for number, notice in enumerate(notices):
                    self.notices.append(Saying(notice, fact.tenant, listener, fact.id, number, version))


@dataclass(frozen=True)
class Preparer:
    hearing: Hearing
    issuing: Issuing

    def kinds(self) -> list[Kind]:
        """The intents that lead from facts to deliveries, and their handlers."""
        ours = self.hearing.listeners
        return [
            self._kind(RULES, self.by_rules),
            *(self._kind(kind_of(each.name), partial(self.by_listeners, [each])) for each in ours),
            self._kind(PREPARE, self.by_all),
            Kind(FAN_OUT, self.continue_fan_out, Shape.TRANSACTION, KeyPolicy.REARM, batch=1),
        ]

    def _kind(self, name: str, hear: Function) -> Kind:
        return Kind(name, hear, Shape.TRANSACTION, batch=_AT_ONCE)

    async def by_rules(self, connection: Connection, intents: Sequence[Intent]) -> Each:
        return await self._prepare(connection, intents, (), rules=True)

    async def by_listeners(
        self, listeners: Sequence[Listener], connection: Connection, intents: Sequence[Intent]
    ) -> Each:
        return await self._prepare(connection, intents, listeners, rules=False)

    async def by_all(self, connection: Connection, intents: Sequence[Intent]) -> Each:
        return await self._prepare(connection, intents, self.hearing.listeners, rules=True)

    async def _prepare(
        self, connection: Connection, intents: Sequence[Intent], listeners: Sequence[Listener], *, rules: bool
    ) -> Each:
        rows = await connection.fetch(_FACTS, [intent.fact_id for intent in intents])
        facts = [_heard(row) for row in rows]
        work, done = _Work(), await _done(connection, facts)
        if rules:
            await self._by_rules(connection, facts, done, work)
        for each in listeners:
            await self._by_listener(connection, each, facts, done, work)
        await connection.execute(_RECORD, *_columns(work.records, 6))
        if work.notices:
            due = {intent.fact_id: intent.due_at for intent in intents}
            await self.issuing.say(connection, [replace(said, due=due[said.fact_id]) for said in work.notices])
        return Each([_outcome(work.failed.get(intent.fact_id)) for intent in intents])

    async def continue_fan_out(self, connection: Connection, intents: Sequence[Intent]) -> Outcome:
        """A chunk of people, and then the next, until the audience ends."""
        notice = UUID(intents[0].data["notice"])
        more = await self.issuing.fan_out.reach(connection, [notice], CHUNK)
        return Again(await connection.fetchval("SELECT now()")) if more else Succeeded()

    async def _by_rules(self, connection: Connection, facts: Sequence[Heard], done: _Done, work: _Work) -> None:
        for rule in await self.hearing.rules(connection, facts):
            name = f"rule:{rule['id']}"
            for fact in facts:
                if is_for(rule, fact) and (fact.id, name) not in done:
                    work.add(fact, name, rule["version"], await self.hearing.by_rule(rule, fact))

    async def _by_listener(
        self, connection: Connection, listener: Listener, facts: Sequence[Heard], done: _Done, work: _Work
    ) -> None:
        wanted = [fact for fact in facts if listener.hears(fact.type) and (fact.id, listener.name) not in done]
        verdicts = await self.hearing.by_function(listener.on(connection), wanted)
        for fact, verdict in zip(wanted, verdicts, strict=True):
            work.add(fact, listener.name, None, verdict)


def _heard(row: Any) -> Heard:
    stream = None if row["stream_type"] is None else (row["stream_type"], row["stream_id"])
    data = data_of(row["data"])
    return Heard(row["id"], row["tenant"], row["type"], data, row["occurred_at"], stream, row["tenant_name"])


async def _done(connection: Connection, facts: Sequence[Heard]) -> _Done:
    rows = await connection.fetch(
        "SELECT fact_id, listener FROM tidings.processed_by WHERE fact_id = ANY ($1::uuid[])", [f.id for f in facts]
    )
    return {(row["fact_id"], row["listener"]) for row in rows}


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [[row[n] for row in rows] for n in range(width)]


def _outcome(errors: Sequence[str] | None) -> Outcome:
    return Failed("; ".join(errors)) if errors else Succeeded()


async def declare(connection: Connection, kinds: Iterable[str], listeners: Iterable[Listener]) -> None:
    """Makes known, to every transaction that emits, which kinds have a handler and which types somebody listens to."""
    await connection.execute(
        "INSERT INTO tidings.kinds (kind) SELECT * FROM unnest($1::text[]) ORDER BY 1 ON CONFLICT DO NOTHING",
        list(kinds),
    )
    patterns = [(each.name, pattern) for each in listeners for pattern in each.routes]
    await connection.execute(
        """INSERT INTO tidings.routes (tenant, type, prefix, source)
           SELECT '', rtrim(pattern, '*'), pattern LIKE '%*', 'listener:' || name
           FROM unnest($1::text[], $2::text[]) AS l(name, pattern) ORDER BY 2, 3, 4 ON CONFLICT DO NOTHING""",
        [name for name, _ in patterns],
        [pattern for _, pattern in patterns],
    )
