"""Records as a client sees them, where nothing about them is to be changed or left out."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from pydantic.alias_generators import to_camel


def plain(value: Any) -> Any:
    """Records as objects, field by field, under the names of JSON."""
    if is_dataclass(value):
        return {to_camel(field.name): plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
