"""A rule: of which facts, on which conditions, who is told what, over which channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from tidings.spine.channels.port import Channel, Level
from tidings.spine.notify.audience import Selector, as_json, read_selectors
from tidings.spine.notify.checking import Findings, below
from tidings.spine.notify.rules.delays import NONE, delay_text, read_delay
from tidings.spine.notify.rules.fields import (
    read_channels,
    read_flag,
    read_level,
    read_properties,
    read_slug,
    read_words,
)
from tidings.spine.notify.rules.reading import condition_json, read_condition
from tidings.spine.notify.rules.terms import Condition
from tidings.spine.notify.saying import CATEGORY, TEMPLATE

FACT_TYPE = r"^[a-z][a-z0-9_]*((\.[a-z][a-z0-9_]*)+|(\.[a-z][a-z0-9_]*)*\.?\*)$"
"""A type, or the beginning of several with `*` after it. Not `*` alone: it would tell of its own notices."""
LONGEST_TITLE = 1_000
LONGEST_BODY = 20_000
_FIELDS = (
    "conditions",
    "audience",
    "title",
    "body",
    "template",
    "channels",
    "level",
    "category",
    "delay",
    "shared",
    "properties",
)


@dataclass(frozen=True, slots=True)
class RuleBody:
    """What a rule does. `title` and `body` are Jinja: they are rendered once for a notice, the same for everybody."""

    conditions: Condition | None
    audience: tuple[Selector, ...]
    title: str
    body: str
    channels: tuple[Channel, ...]
    template: str = TEMPLATE
    level: Level = Level.INFO
    category: str = CATEGORY
    delay: timedelta = NONE
    shared: bool = False
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a tenant, in one of its versions. `fact_type` may end in `*`: every type that begins like it."""

    id: UUID
    tenant: str
    name: str
    version: int
    enabled: bool
    fact_type: str
    body: RuleBody


def matches(pattern: str, type: str) -> bool:
    """Whether facts of this type are the rule's."""
    return type.startswith(pattern[:-1]) if pattern.endswith("*") else type == pattern


def parse_body(raw: Any, path: str = "") -> RuleBody:
    """A rule's body as it was written in JSON, or `ValidationFailed` with everything that is wrong with it."""
    findings = Findings()
    body = read_body(raw, path, findings)
    findings.settle()
    assert body is not None
    return body


def read_body(raw: Any, path: str, findings: Findings) -> RuleBody | None:
    """What is read is a rule only where nothing was found wrong."""
    if not isinstance(raw, dict):
        findings.add(path or "body", "must be a JSON object")
        return None
    findings.only(raw, _FIELDS, path)
    conditions = raw.get("conditions")
    return RuleBody(
        None if conditions is None else read_condition(conditions, below(path, "conditions"), findings),
        read_selectors(raw.get("audience"), below(path, "audience"), findings),
        read_words(raw.get("title"), below(path, "title"), LONGEST_TITLE, findings),
        read_words(raw.get("body"), below(path, "body"), LONGEST_BODY, findings),
        read_channels(raw.get("channels"), below(path, "channels"), findings),
        read_slug(raw.get("template", TEMPLATE), below(path, "template"), findings),
        read_level(raw.get("level", Level.INFO), below(path, "level"), findings),
        read_slug(raw.get("category", CATEGORY), below(path, "category"), findings),
        read_delay(raw.get("delay"), below(path, "delay"), findings),
        read_flag(raw.get("shared", False), below(path, "shared"), findings),
        read_properties(raw.get("properties", {}), below(path, "properties"), findings),
    )


def body_json(body: RuleBody) -> dict[str, Any]:
    """What `parse_body` reads, in full."""
    return {
        "conditions": None if body.conditions is None else condition_json(body.conditions),
        "audience": as_json(body.audience),
        "title": body.title,
        "body": body.body,
        "template": body.template,
        "channels": [channel.value for channel in body.channels],
        "level": body.level.value,
        "category": body.category,
        "delay": delay_text(body.delay),
        "shared": body.shared,
        "properties": dict(body.properties),
    }
