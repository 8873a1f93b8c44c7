"""Kinds of values that several routes take."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import Query
from pydantic import BeforeValidator, WithJsonSchema

from tidings.kit.paging import DEFAULT_LIMIT, LONGEST_CURSOR, MOST

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)")


def moment(value: Any) -> Any:
    """A time of RFC 3339, with its offset. Others are refused: what they mean depends on who reads them."""
    if value is None or isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        raise ValueError("must be a time such as 2026-11-16T09:00:00Z")
    try:
        parsed = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", value.upper()))
    except ValueError:
        raise ValueError("is not a time that exists") from None
    try:
        return parsed.astimezone(UTC)
    except OverflowError:  # an offset that leads out of the calendar, at either end of it
        return parsed.replace(tzinfo=UTC)


Moment = Annotated[
    datetime,
    BeforeValidator(moment),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-11-16T09:00:00Z"]}),
]


def day(value: Any) -> Any:
    """A day of RFC 3339, and nothing else that Python would take for one."""
    if value is None or isinstance(value, date):
        return value
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        raise ValueError("must be a day such as 2026-11-16")
    return date.fromisoformat(value)


Day = Annotated[
    date,
    BeforeValidator(day),
    WithJsonSchema({"type": "string", "format": "date", "examples": ["2026-11-16"]}),
]
Limit = Annotated[int, Query(ge=1, le=MOST, description="how many at most")]
Cursor = Annotated[
    str | None,
    Query(
        max_length=LONGEST_CURSOR,
        pattern="^[A-Za-z0-9_-]+$",
        description="`nextCursor` of the page before; leave it out to start",
    ),
]
PAGE = DEFAULT_LIMIT
NO_NUL = r"^[^\x00]+$"
"""Text that PostgreSQL can store, and at least some."""
