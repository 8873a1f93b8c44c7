"""Values as the text in which they travel, or `ValidationFailed` for those that cannot."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, NoReturn

from tidings.kit.callers.refusals import TOO_DEEP, TOO_GREAT, UNSTORABLE, UNSTORABLE_TEXT, invalid

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""The data of what has none."""


class _NotJsonError(Exception):
    """Holds the name of a type that JSON has no form for."""


def _refuse(value: object) -> NoReturn:
    raise _NotJsonError(type(value).__name__)


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"), default=_refuse
)
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def json_text(field: str, value: Any) -> str:
    """JSON, as `json.dumps` writes it and PostgreSQL can store it."""
    if type(value) is dict and not value:
        return "{}"
    try:
        text = _ENCODER.encode(value if type(value) is dict or not isinstance(value, Mapping) else dict(value))
        _check_pairs(text)
    except _NotJsonError as error:
        raise invalid(field, f"holds a {error}, which JSON has no form for") from None
    except RecursionError:
        raise invalid(field, TOO_DEEP) from None
    except TypeError:
        raise invalid(field, "has a key that is not text") from None
    except ValueError as error:
        raise invalid(field, TOO_GREAT if "digits" in str(error) else UNSTORABLE) from None
    if "\\u0000" in text and _NUL.search(text):
        raise invalid(field, UNSTORABLE)
    return text


def plain_text(field: str, value: object) -> str | None:
    """Text that PostgreSQL can store, or None."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise invalid(field, "must be text")
    try:
        _check_pairs(value)
    except UnicodeEncodeError:
        raise invalid(field, UNSTORABLE_TEXT) from None
    if "\0" in value:
        raise invalid(field, UNSTORABLE_TEXT)
    return value


def time_text(field: str, value: object) -> str | None:
    """A time with its zone; far ones too, which drivers could not pass on."""
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise invalid(field, "must be a datetime")
    if value.utcoffset() is None:
        raise invalid(field, "needs a timezone")
    return value.isoformat()


def interval_text(field: str, value: object) -> str | None:
    """Exactly this long: a day has 24 hours, whatever the connection's timezone."""
    if value is None:
        return None
    if not isinstance(value, timedelta):
        raise invalid(field, "must be a timedelta")
    return f"{value // timedelta(microseconds=1)} microseconds"


def _check_pairs(text: str) -> None:
    """Raises UnicodeEncodeError for half of a surrogate pair."""
    if not text.isascii():
        text.encode()
