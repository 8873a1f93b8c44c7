"""What each listener says of each fact: rules decided here, functions called; nothing is written."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, TypeAlias
from uuid import UUID

import structlog

from tidings.kit.db import Connection
from tidings.spine.notify.audience import resolved
from tidings.spine.notify.listeners import Heard, Listener, Said
from tidings.spine.notify.rules.conditions import unmet
from tidings.spine.notify.rules.model import Rule, matches, parse_body
from tidings.spine.notify.saying import Notice
from tidings.spine.notify.templates.aside import Aside
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.rendering import Renderer
from tidings.spine.outbox.intents import Row
from tidings.spine.outbox.outcomes import describe

log = structlog.get_logger("tidings.notify")

_MOST_RULES = 10_000

_RULES = """
SELECT id, tenant, name, version, fact_type, body::text AS body FROM tidings.rules
WHERE tenant = ANY ($1::text[]) AND enabled AND (fact_type = ANY ($2::text[]) OR fact_type LIKE '%*') ORDER BY id
"""


@dataclass(frozen=True)
class Told:
    """People are to be told: one notice, or several."""

    notices: tuple[Notice, ...]


@dataclass(frozen=True)
class NotTold:
    """Nobody is, and why."""

    reason: str


@dataclass(frozen=True)
class CouldNot:
    """The listener failed; it is tried again. `hung`: it did not answer at all."""

    error: str
    hung: bool = False


Verdict: TypeAlias = Told | NotTold | CouldNot


def context_of(fact: Heard, properties: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What the words of a notice may name."""
    about = {"id": str(fact.id), "type": fact.type, "occurredAt": fact.occurred_at.isoformat()}
    tenant = {"id": fact.tenant, "name": fact.tenant_name}
    return {"fact": about, "data": {**(properties or {}), **fact.data}, "tenant": tenant}


def verdict_of(rule: Rule, fact: Heard, renderer: Renderer) -> Told | NotTold:
    """Pure. Raises `TemplateError` where the rule's words cannot be rendered from this fact."""
    body = rule.body
    if body.conditions is not None and (reason := unmet(body.conditions, fact.data)) is not None:
        return NotTold(reason)
    context = context_of(fact, body.properties)
    notice = Notice(
        _worded("title", renderer.line, body.title, context),
        _worded("body", renderer.text, body.body, context),
        resolved(body.audience, fact.data),
        body.channels,
        body.level,
        body.category,
        body.template,
        body.delay,
        body.shared,
        body.properties,
    )
    return Told((notice,))


def _worded(part: str, rendered: Callable[[str, Mapping[str, Any]], str], text: str, context: Mapping[str, Any]) -> str:
    try:
        return rendered(text, context)
    except TemplateError as error:
        raise error.within(part) from error


def said(answer: Said | NotTold | CouldNot) -> Verdict:
    """What a listener's function returned, as a verdict: one of ours may give one itself. Raises TypeError for what is
    no notice."""
    if isinstance(answer, NotTold | CouldNot):
        return answer
    notices = () if answer is None else (answer,) if isinstance(answer, Notice) else tuple(answer)
    for each in notices:
        if not isinstance(each, Notice):
            raise TypeError(f"a listener returns a Notice, a list of them, or None, not {each!r}")
    return Told(notices) if notices else NotTold("the listener had nothing to say")


@dataclass(frozen=True)
class Hearing:
    """All listeners of a worker: the functions it has loaded, and the rules of the tenants that facts come from."""

    listeners: Sequence[Listener]
    renderer: Renderer
    longest: timedelta = timedelta(minutes=1)  # for one call of a listener: others wait for what it is asked
    parsed: OrderedDict[tuple[UUID, int], Rule] = field(default_factory=OrderedDict)
    aside: Aside = field(default_factory=Aside)

    async def rules(self, connection: Connection, facts: Sequence[Heard]) -> Sequence[Row]:
        """Every enabled rule that one of these facts may be for, as it is stored: one may not be readable."""
        tenants, types = {fact.tenant for fact in facts}, {fact.type for fact in facts}
        return await connection.fetch(_RULES, list(tenants), list(types))

    async def by_rule(self, stored: Row, fact: Heard) -> Verdict:
        try:
            rule = self._rule(stored)
            return await self.aside.run((rule.id, rule.version), partial(verdict_of, rule, fact, self.renderer))
        except TemplateError as error:
            return CouldNot(f"rule {stored['name']!r}: {error.placed}")
        except Exception as error:
            return CouldNot(f"rule {stored['name']!r}: {describe(error)}")

    async def by_function(self, listener: Listener, facts: Sequence[Heard]) -> list[Verdict]:
        """One verdict for each fact. A batch that fails is tried again one by one. After one that hangs, the rest is
        left for another time: everybody waits for what is asked here."""
        if listener.batch and len(facts) > 1:
            try:
                async with asyncio.timeout(self.longest.total_seconds()):
                    answers = await listener.function(list(facts))
                return [said(answer) for _, answer in zip(facts, answers, strict=True)]
            except Exception as error:
                log.warning("a listener failed, asking it one by one", listener=listener.name, error=repr(error))
        verdicts: list[Verdict] = []
        for fact in facts:
            verdict = await self._one(listener, fact)
            if isinstance(verdict, CouldNot) and verdict.hung:
                return verdicts + [verdict] * (len(facts) - len(verdicts))
            verdicts.append(verdict)
        return verdicts

    async def _one(self, listener: Listener, fact: Heard) -> Verdict:
        deadline = asyncio.timeout(self.longest.total_seconds())
        try:
            async with deadline:
                answer = await listener.function([fact] if listener.batch else fact)
            if listener.batch:
                (answer,) = answer
            return said(answer)
        except Exception as error:
            reason = f"took longer than {self.longest}" if deadline.expired() else describe(error)
            return CouldNot(f"listener {listener.name!r}: {reason}", deadline.expired())

    def _rule(self, row: Row) -> Rule:
        version = (row["id"], row["version"])
        rule = self.parsed.get(version)
        if rule is None:
            body = parse_body(json.loads(row["body"]))
            rule = Rule(row["id"], row["tenant"], row["name"], row["version"], True, row["fact_type"], body)
            self.parsed[version] = rule
            if len(self.parsed) > _MOST_RULES:
                self.parsed.popitem(last=False)
        return rule


def is_for(stored: Row, fact: Heard) -> bool:
    return bool(stored["tenant"] == fact.tenant) and matches(stored["fact_type"], fact.type)
