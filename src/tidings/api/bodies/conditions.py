"""Conditions and selectors as they may be sent, for the OpenAPI document.

They are read by `spine.notify`, which says what is wrong with them by their path.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from tidings.api.bodies import Input
from tidings.spine.notify import audience, paths
from tidings.spine.notify.rules import reading

LINE = r"^[^\x00-\x1f\x7f]+$"
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

ByName = Literal["externalId", "email", "userType", "group", "topic"]
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
