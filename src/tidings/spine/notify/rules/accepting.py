"""Whether a rule may be saved: everything that is wrong with it, at once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tidings.kit.db import Connection
from tidings.spine.notify.checking import Findings, below
from tidings.spine.notify.rules.model import Rule
from tidings.spine.notify.rules.records import NewRule, read_rule, rule_json
from tidings.spine.notify.rules.wording import word_faults
from tidings.spine.notify.template_store import Templates
from tidings.spine.notify.templates.rendering import Renderer


@dataclass(frozen=True)
class Acceptance:
    """Reads rules of one tenant as they were written, or raises `ValidationFailed` with every fault by its field."""

    connection: Connection
    tenant: str
    renderer: Renderer

    async def new(self, raw: Any) -> NewRule:
        return await self._read(raw, "")

    async def unsaved(self, raw: Any, path: str) -> NewRule:
        """One that is only to be tried: it needs no name."""
        return await self._read({"name": "unsaved", **raw} if isinstance(raw, Mapping) else raw, path)

    async def changed(self, rule: Rule, changes: Any) -> NewRule:
        """The rule with what is given in place of what was there."""
        return await self._read({**rule_json(rule), **changes} if isinstance(changes, Mapping) else changes, "")

    async def _read(self, raw: Any, path: str) -> NewRule:
        findings = Findings()
        rule = read_rule(raw, path, findings)
        if rule is not None:
            await self._examine(rule, path, findings)
        findings.settle()
        assert rule is not None
        return rule

    async def _examine(self, rule: NewRule, path: str, findings: Findings) -> None:
        wrong = {fault.field for fault in findings.faults}
        if not wrong & {below(path, "title"), below(path, "body")}:
            for fault in await asyncio.to_thread(word_faults, self.renderer, rule.body.title, rule.body.body):
                findings.add(below(path, fault.field), fault.message)
        name, field = rule.body.template, below(path, "template")
        if field not in wrong and not await Templates(self.connection, self.tenant).exists(name):
            findings.add(field, f"there is no template named {name}")
