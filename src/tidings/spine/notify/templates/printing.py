"""Which values a template can print, and how."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from jinja2 import Undefined

from tidings.spine.notify.templates.errors import TemplateError

_SCALARS = (str, int, float, Decimal, date, UUID)  # a datetime is a date, a bool is an int


def text_of(value: Any) -> str:
    """A single value as text; what is escaped already stays so."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case Undefined():
            return str(value)  # raises: the name is in the message
        case str():
            return value
        case _ if isinstance(value, _SCALARS):
            return str(value)
    raise TemplateError(f"cannot print {_kind(value)}: print what is in it, or use join")


def is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, (*_SCALARS, Undefined))


def _kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list | tuple | range) else "this"
