"""Rules and templates in replies, for the OpenAPI document."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from tidings.api.bodies.conditions import ConditionBody
from tidings.api.bodies.rules import ChannelName, LevelName
from tidings.api.documents import Document


class SelectorDocument(Document):
    by: Literal["person", "externalId", "email", "userType", "group", "topic", "everyone"]
    values: list[str] | None
    field: str | None
    user_type: str | None


class RuleParts(Document):
    name: str
    version: int
    enabled: bool
    fact_type: str
    conditions: ConditionBody | None
    audience: list[SelectorDocument]
    title: str
    body: str
    template: str
    channels: list[ChannelName]
    level: LevelName
    category: str
    delay: str | None
    shared: bool
    properties: dict[str, Any]


class RuleDocument(RuleParts):
    """A rule: of which facts, on which conditions, who is told what, over which channels."""

    id: UUID
    created_at: datetime
    updated_at: datetime


class RuleVersionDocument(RuleParts):
    """A rule as it once stood."""

    changed_by: str | None
    created_at: datetime


class TriedPerson(Document):
    id: UUID
    name: str
    channels: dict[str, bool] = Field(description="by channel, whether there is an address that may be used")


class TriedAudience(Document):
    count: int
    more: bool = Field(description="whether there are more than were counted")
    people: list[TriedPerson] = Field(description="the first of them")


class TriedFact(Document):
    """One fact of the past, and what the rule would have done with it."""

    fact_id: UUID
    type: str
    occurred_at: datetime
    matched: bool
    reason: str | None = Field(description="why the rule is not about this fact")
    title: str | None
    body: str | None
    fault: str | None = Field(description="why it could not have been said")
    audience: TriedAudience | None


class TrialDocument(Document):
    facts: list[TriedFact] = Field(description="newest first")
    matched: int
    complete: bool = Field(description="false where time ran out before the last fact")


class TemplateDocument(Document):
    """A template: its name, for one channel, in one language."""

    name: str
    channel: ChannelName
    locale: str = Field(description="empty: for everybody who has none of their own")
    built_in: bool = Field(description="comes with Tidings; yours of the same name takes its place")
    version: int | None
    retired: bool
    subject: str | None
    markup: str | None
    text: str | None
    changed_by: str | None
    created_at: datetime | None


class PreviewDocument(Document):
    """What one person would get."""

    subject: str | None
    text: str
    html: str | None
