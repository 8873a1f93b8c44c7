"""A rule: of which facts, on which conditions, who is told what, over which channels."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from tidings.spine.channels.port import Channel, Level
from tidings.spine.notify.audience import Selector, as_json, read_selectors
from tidings.spine.notify.checking import Findings, below, encodable
from tidings.spine.notify.rules.delays import NONE, delay_text, read_delay
from tidings.spine.notify.rules.reading import condition_json, read_condition
from tidings.spine.notify.rules.terms import Condition

FACT_TYPE = r"^[a-z][a-z0-9_]*((\.[a-z][a-z0-9_]*)+|(\.[a-z][a-z0-9_]*)*\.?\*)$"
"""A type, or the beginning of several with `*` after it. Not `*` alone: it would tell of its own notices."""
SLUG = r"^[a-z][a-z0-9_.-]{0,99}$"
TEMPLATE = "notice"
CATEGORY = "general"
LONGEST_TITLE = 1_000
LONGEST_BODY = 20_000
LARGEST_PROPERTIES = 16 * 1024
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
        _words(raw.get("title"), below(path, "title"), LONGEST_TITLE, findings),
        _words(raw.get("body"), below(path, "body"), LONGEST_BODY, findings),
        _channels(raw.get("channels"), below(path, "channels"), findings),
        _slug(raw.get("template", TEMPLATE), below(path, "template"), findings),
        _level(raw.get("level", Level.INFO), below(path, "level"), findings),
        _slug(raw.get("category", CATEGORY), below(path, "category"), findings),
        read_delay(raw.get("delay"), below(path, "delay"), findings),
        _flag(raw.get("shared", False), below(path, "shared"), findings),
        _properties(raw.get("properties", {}), below(path, "properties"), findings),
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


def _words(raw: Any, path: str, longest: int, findings: Findings) -> str:
    if not isinstance(raw, str) or not 1 <= len(raw) <= longest or "\0" in raw or not encodable(raw):
        findings.add(path, "is missing" if raw is None else f"must be a text of 1 to {longest} characters")
        return ""
    return raw


def _channels(raw: Any, path: str, findings: Findings) -> tuple[Channel, ...]:
    if not isinstance(raw, list) or not raw:
        findings.add(path, "must be a list of channels, at least one")
        return ()
    known = set(Channel)
    for n, each in enumerate(raw[: len(known) + 1]):
        if not isinstance(each, str) or each not in known:
            findings.add(below(path, n), f"must be one of {', '.join(Channel)}")
    if len(raw) != len({str(each) for each in raw}):
        findings.add(path, "must name each channel once")
    return tuple(Channel(each) for each in raw if isinstance(each, str) and each in known)


def _slug(raw: Any, path: str, findings: Findings) -> str:
    if not isinstance(raw, str) or not re.fullmatch(SLUG, raw):
        findings.add(path, "must be lower-case letters, digits, _, - and dots, 100 at most, and begin with a letter")
        return ""
    return raw


def _level(raw: Any, path: str, findings: Findings) -> Level:
    if not isinstance(raw, str) or raw not in set(Level):
        findings.add(path, f"must be one of {', '.join(Level)}")
        return Level.INFO
    return Level(raw)


def _flag(raw: Any, path: str, findings: Findings) -> bool:
    if not isinstance(raw, bool):
        findings.add(path, "must be true or false")
    return raw is True


def _properties(raw: Any, path: str, findings: Findings) -> dict[str, Any]:
    if not isinstance(raw, dict):
        findings.add(path, "must be a JSON object")
        return {}
    try:
        text = json.dumps(raw, allow_nan=False)
    except (ValueError, RecursionError):
        text = None
    if text is None or "\\u0000" in text or len(text) > LARGEST_PROPERTIES:
        findings.add(path, f"must be a JSON object that can be stored, of at most {LARGEST_PROPERTIES} bytes")
        return {}
    return raw
