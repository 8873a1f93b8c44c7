"""Rules, trials and templates as a client sees them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tidings.kit.json_output import raw
from tidings.spine.notify.rules.records import RuleVersion, StoredRule, rule_json

if TYPE_CHECKING:  # a command that shows rules does not pay for rendering
    from tidings.spine.notify.rules.model import Rule
    from tidings.spine.notify.rules.trials import Reached, Trial, Tried
    from tidings.spine.notify.template_store import Template

_SELECTOR = {"by": None, "values": None, "field": None, "userType": None}


def shown_rule(stored: StoredRule) -> dict[str, Any]:
    times = {"createdAt": stored.created_at, "updatedAt": stored.updated_at}
    return {"id": stored.rule.id, **_parts(stored.rule), **times}


def shown_version(version: RuleVersion) -> dict[str, Any]:
    return {**_parts(version.rule), "changedBy": version.changed_by, "createdAt": version.created_at}


def shown_trial(trial: Trial) -> dict[str, Any]:
    facts = [_tried(each) for each in trial.facts]
    return {"facts": facts, "matched": sum(each["matched"] for each in facts), "complete": trial.complete}


def shown_template(template: Template) -> dict[str, Any]:
    return {
        "name": template.key.name,
        "channel": template.key.channel,
        "locale": template.key.locale,
        "builtIn": template.version is None,
        "version": template.version,
        "retired": template.retired,
        "subject": template.source.subject,
        "markup": template.source.markup,
        "text": template.source.text,
        "changedBy": template.changed_by,
        "createdAt": template.created_at,
    }


def _parts(rule: Rule) -> dict[str, Any]:
    """Conditions and properties go out as JSON text: they may hold larger numbers than our writer of JSON knows."""
    shown = rule_json(rule)
    free = {name: raw(json.dumps(shown[name])) for name in ("conditions", "properties")}
    audience = [{**_SELECTOR, **each} for each in shown["audience"]]
    return {**shown, **free, "version": rule.version, "audience": audience}


def _tried(tried: Tried) -> dict[str, Any]:
    return {
        "factId": tried.fact.id,
        "type": tried.fact.type,
        "occurredAt": tried.fact.occurred_at,
        "matched": tried.reason is None,
        "reason": tried.reason,
        "title": None if tried.notice is None else tried.notice.title,
        "body": None if tried.notice is None else tried.notice.body,
        "fault": tried.fault,
        "audience": None if tried.audience is None else _reached(tried.audience),
    }


def _reached(reached: Reached) -> dict[str, Any]:
    people = [
        {
            "id": each.id,
            "name": each.name,
            "channels": {channel.value: there for channel, there in each.channels.items()},
        }
        for each in reached.people
    ]
    return {"count": reached.count, "more": reached.more, "people": people}
