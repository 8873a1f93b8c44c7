"""Rules as they may be sent, for the OpenAPI document. They are read by `spine.notify.rules`."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema

from tidings.api.bodies import Input
from tidings.api.bodies.conditions import LINE, ConditionBody, SelectorBody
from tidings.api.shapes import NO_NUL, Moment
from tidings.spine.notify import audience, saying
from tidings.spine.notify.rules import delays, dry_run, fields, model, records

ChannelName = Literal["email", "sms", "whatsapp", "push", "slack", "websocket", "webhook", "apprise"]
LevelName = Literal["info", "warning", "critical"]

Slug = Annotated[str, Field(pattern=fields.SLUG)]
Name = Annotated[str, Field(min_length=1, max_length=records.LONGEST_NAME, pattern=LINE)]
FactType = Annotated[
    str, Field(max_length=records.LONGEST_TYPE, pattern=model.FACT_TYPE, description="a type, or `order.*`")
]
Audience = Annotated[list[SelectorBody], Field(min_length=1, max_length=audience.MOST_SELECTORS)]
Title = Annotated[
    str,
    Field(min_length=1, max_length=model.LONGEST_TITLE, pattern=NO_NUL, description="Jinja: fact, data, tenant"),
]
Body = Annotated[
    str, Field(min_length=1, max_length=model.LONGEST_BODY, pattern=NO_NUL, description="Jinja: fact, data, tenant")
]
Channels = Annotated[list[ChannelName], Field(min_length=1, json_schema_extra={"uniqueItems": True})]
Delay = Annotated[str, Field(pattern=delays.PATTERN, description="such as 30s, 15m, 2h or 7d; 999d at most")]
Properties = Annotated[dict[str, Any], Field(description="for templates and programs; 16 KiB at most")]


class _Common(Input):
    conditions: ConditionBody | None = Field(None, description="on the fact's data; none: every fact")
    template: Slug = saying.TEMPLATE
    level: LevelName = "info"
    category: Slug = saying.CATEGORY
    delay: Delay | None = None
    shared: bool = Field(False, description="one matter for all who are told")
    properties: Properties = Field(default_factory=dict)
    enabled: bool = True


class NewRuleBody(_Common):
    """A rule to be made."""

    name: Name
    fact_type: FactType
    audience: Audience
    title: Title
    body: Body
    channels: Channels


class RuleChangesBody(Input):
    """What is to be different; the rest stays. Null only takes the conditions or the delay away."""

    name: Name | SkipJsonSchema[None] = None
    enabled: bool | SkipJsonSchema[None] = None
    fact_type: FactType | SkipJsonSchema[None] = None
    conditions: ConditionBody | None = None
    audience: Audience | SkipJsonSchema[None] = None
    title: Title | SkipJsonSchema[None] = None
    body: Body | SkipJsonSchema[None] = None
    template: Slug | SkipJsonSchema[None] = None
    channels: Channels | SkipJsonSchema[None] = None
    level: LevelName | SkipJsonSchema[None] = None
    category: Slug | SkipJsonSchema[None] = None
    delay: Delay | None = None
    shared: bool | SkipJsonSchema[None] = None
    properties: Properties | SkipJsonSchema[None] = None


class UnsavedRuleBody(_Common):
    """A rule to be tried. It needs no name."""

    name: Name = "unsaved"
    fact_type: FactType
    audience: Audience
    title: Title
    body: Body
    channels: Channels


def _whole(value: Any) -> Any:
    """In JSON 20.0 is a whole number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class SampleBody(Input):
    """Which facts of the past to try: the newest of the rule's type, or one."""

    fact_id: Annotated[UUID, Field(strict=False)] | None = Field(None, description="this fact alone")
    since: Moment | None = Field(None, description="recorded at this time or later")
    until: Moment | None = Field(None, description="recorded before this time")
    limit: Annotated[int, Field(ge=1, le=dry_run.MOST_FACTS), BeforeValidator(_whole)] = 20
    people: Annotated[int, Field(ge=0, le=dry_run.MOST_SHOWN), BeforeValidator(_whole)] = Field(
        10, description="shown of each audience"
    )


class TrialBody(SampleBody):
    """A rule that is not saved, and which facts to try it on."""

    rule: UnsavedRuleBody
