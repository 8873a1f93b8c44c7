"""JSON for others: times in UTC with `Z`, whatever is in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import orjson


def dump(value: Any) -> bytes:
    """JSON, with U+FFFD in place of what UTF-8 has no bytes for."""
    try:
        return orjson.dumps(value, _plain, orjson.OPT_UTC_Z)
    except TypeError:
        return orjson.dumps(_encodable(value), _plain, orjson.OPT_UTC_Z)


def raw(text: str) -> orjson.Fragment:
    """JSON text that goes out as it is: numbers keep their digits."""
    return orjson.Fragment(text)


def _plain(value: Any) -> str:
    """asyncpg has a UUID of its own, which orjson does not know."""
    if isinstance(value, UUID):
        return str(value)
    raise TypeError


def _encodable(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case Mapping():
            return {_encodable(key): _encodable(item) for key, item in value.items()}
        case list():
            return [_encodable(item) for item in value]
    return value
