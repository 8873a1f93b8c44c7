"""Reading what a provider sent: whatever it holds, nothing here raises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from tidings.kit.errors import ValidationFailed
from tidings.kit.json_input import parse_json

_LATEST = 4_000_000_000  # seconds: far in the future, and still a time


def json_object(body: bytes) -> Mapping[str, Any]:
    """The body as a JSON object; an empty one where it is none."""
    try:
        value = parse_json(body)
    except ValidationFailed:
        return {}
    return value if isinstance(value, dict) else {}


def within(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    inner = value.get(name)
    return inner if isinstance(inner, dict) else {}


def each(value: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    inner = value.get(name)
    return (item for item in (inner if isinstance(inner, list) else ()) if isinstance(item, dict))


def uuid(text: object) -> UUID | None:
    try:
        return UUID(text) if isinstance(text, str) and len(text) == 36 else None
    except ValueError:
        return None


def moment(seconds: object) -> datetime | None:
    """A time in seconds since 1970, written as a number or in digits."""
    text = str(seconds)
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) < _LATEST):
        return None
    return datetime.fromtimestamp(int(text), UTC)
