"""Rules and templates as they may be sent, for the OpenAPI document.

They are read by `spine.notify.rules`, which says of conditions and selectors what is wrong by their path.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from tidings.api.bodies import Input
from tidings.api.shapes import NO_NUL, Moment
from tidings.spine.notify import audience, paths
from tidings.spine.notify.rules import delays, dry_run, model, reading, records

LINE = r"^[^\x00-\x1f\x7f]+$"
ChannelName = Literal["email", "sms", "whatsapp", "push", "slack", "websocket", "webhook", "apprise"]
LevelName = Literal["info", "warning", "critical"]
ByName = Literal["externalId", "email", "userType", "group", "topic"]

Path = Annotated[
    str,
    Field(
        max_length=paths.LONGEST,
        pattern=r"^[^.\x00-\x1f\x7f]+(\.[^.\x00-\x1f\x7f]+){0,19}$",
        description="a path into the fact's data, such as order.total or lines.0.sku",
    ),
]
Text = Annotated[str, Field(max_length=reading.LONGEST_VALUE, pattern=r"^[^\x00]*$")]
Whole = Annotated[int, Field(ge=-(10**30), le=10**30)]
Value: TypeAlias = Text | Whole | float | bool | None
Order: TypeAlias = Whole | float | Annotated[str, Field(json_schema_extra={"format": "date-time"}, max_length=100)]


class EqualsBody(Input):
    """The field is there and has this value; 1 and 1.0 are the same, 1 and "1" are not."""

    field: Path
    equals: Value


class NotEqualsBody(Input):
    """The field has another value, or is missing."""

    field: Path
    not_equals: Value


class InBody(Input):
    """The field has one of these values."""

    field: Path
    in_: Annotated[list[Value], Field(alias="in", min_length=1, max_length=reading.MOST_VALUES)]


class ExistsBody(Input):
    """The field is there and not null; or, with false, it is not."""

    field: Path
    exists: bool


class GreaterBody(Input):
    """The field is a number, or a time, that is greater."""

    field: Path
    greater: Order


class LessBody(Input):
    """The field is a number, or a time, that is less."""

    field: Path
    less: Order


class AllBody(Input):
    """Every one of them is met."""

    all: Annotated[list[ConditionBody], Field(min_length=1, max_length=reading.MOST - 1)]


class AnyBody(Input):
    """At least one of them is met."""

    any: Annotated[list[ConditionBody], Field(min_length=1, max_length=reading.MOST - 1)]


ConditionBody: TypeAlias = AllBody | AnyBody | EqualsBody | NotEqualsBody | InBody | ExistsBody | GreaterBody | LessBody

UserType = Annotated[str, Field(min_length=1, max_length=audience.LONGEST_USER_TYPE, pattern=LINE)]
_USER_TYPE = Field(None, description="only those of this type")
_FIELD = Field(description="a path into the fact's data, where one value is or a list of them")


class EveryoneBody(Input):
    by: Literal["everyone"]
    values: Annotated[list[str], Field(max_length=0)] | None = None
    field: None = None
    user_type: UserType | None = _USER_TYPE


class PeopleBody(Input):
    """People by their ids."""

    by: Literal["person"]
    values: Annotated[
        list[Annotated[str, Field(json_schema_extra={"format": "uuid"})]],
        Field(min_length=1, max_length=audience.MOST_VALUES),
    ]
    field: None = None
    user_type: UserType | None = _USER_TYPE


class ValuesBody(Input):
    by: ByName
    values: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=audience.LONGEST_VALUE, pattern=LINE)]],
        Field(min_length=1, max_length=audience.MOST_VALUES),
    ]
    field: None = None
    user_type: UserType | None = _USER_TYPE


class FieldBody(Input):
    by: Literal["person"] | ByName
    field: Path = _FIELD
    values: None = None
    user_type: UserType | None = _USER_TYPE


SelectorBody: TypeAlias = EveryoneBody | PeopleBody | ValuesBody | FieldBody

Slug = Annotated[str, Field(pattern=model.SLUG)]
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
Delay = Annotated[str, Field(pattern=delays.PATTERN, description="such as 30s, 15m, 2h or 7d; 365d at most")]
Properties = Annotated[dict[str, Any], Field(description="for templates and programs; 16 KiB at most")]


class _Common(Input):
    conditions: ConditionBody | None = Field(None, description="on the fact's data; none: every fact")
    template: Slug = model.TEMPLATE
    level: LevelName = "info"
    category: Slug = model.CATEGORY
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


class SampleBody(Input):
    """Which facts of the past to try: the newest of the rule's type, or one."""

    fact_id: Annotated[UUID, Field(strict=False)] | None = Field(None, description="this fact alone")
    since: Moment | None = Field(None, description="recorded at this time or later")
    until: Moment | None = Field(None, description="recorded before this time")
    limit: Annotated[int, Field(ge=1, le=dry_run.MOST_FACTS)] = 20
    people: Annotated[int, Field(ge=0, le=dry_run.MOST_SHOWN)] = Field(10, description="shown of each audience")


class TrialBody(SampleBody):
    """A rule that is not saved, and which facts to try it on."""

    rule: UnsavedRuleBody
