"""Rules as they are kept, and as they are shown."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.spine.notify.checking import Findings, below
from tidings.spine.notify.rules.model import FACT_TYPE, Rule, RuleBody, body_json, parse_body, read_body

LONGEST_NAME = 200
LONGEST_TYPE = 200
_OWN = ("name", "enabled", "factType")


@dataclass(frozen=True, slots=True)
class NewRule:
    """A rule that is to be saved."""

    name: str
    enabled: bool
    fact_type: str
    body: RuleBody


@dataclass(frozen=True, slots=True)
class StoredRule:
    """A rule as it stands."""

    rule: Rule
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class RuleVersion:
    """A rule as it once stood, and who made it so."""

    rule: Rule
    changed_by: str | None
    created_at: datetime


def read_rule(raw: Any, path: str, findings: Findings) -> NewRule | None:
    """What is read is a rule only where nothing was found wrong."""
    if not isinstance(raw, dict):
        findings.add(path or "body", "must be a JSON object")
        return None
    name = findings.line(raw.get("name"), below(path, "name"), LONGEST_NAME)
    enabled = raw.get("enabled", True)
    if not isinstance(enabled, bool):
        findings.add(below(path, "enabled"), "must be true or false")
    fact_type = _fact_type(raw.get("factType"), below(path, "factType"), findings)
    body = read_body({key: value for key, value in raw.items() if key not in _OWN}, path, findings)
    return None if body is None else NewRule(name, enabled is True, fact_type, body)


def rule_json(rule: Rule | NewRule) -> dict[str, Any]:
    """What `read_rule` reads, in full."""
    return {"name": rule.name, "enabled": rule.enabled, "factType": rule.fact_type, **body_json(rule.body)}


def new_rule_of(rule: Rule) -> NewRule:
    return NewRule(rule.name, rule.enabled, rule.fact_type, rule.body)


def untried(tenant: str, new: NewRule) -> Rule:
    """A rule that is not saved, as if it were."""
    return Rule(UUID(int=0), tenant, new.name, 0, new.enabled, new.fact_type, new.body)


def rule_of(row: Any) -> Rule:
    return Rule(
        row["id"],
        row["tenant"],
        row["name"],
        row["version"],
        row["enabled"],
        row["fact_type"],
        parse_body(json.loads(row["body"])),
    )


def _fact_type(raw: Any, path: str, findings: Findings) -> str:
    if not isinstance(raw, str) or len(raw) > LONGEST_TYPE or not re.fullmatch(FACT_TYPE, raw):
        message = "must be a type such as order.paid, or the beginning of several with a star: order.*"
        findings.add(path, "is missing" if raw is None else message)
        return ""
    return raw
