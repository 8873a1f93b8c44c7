"""What pydantic found wrong, in words for somebody who does not know it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LONGEST = 500
_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_type": "must be a string",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "has too many digits",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be a JSON object",
    "model_type": "must be a JSON object",
    "model_attributes_type": "must be a JSON object",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "string_too_short": "must have {min_length} or more characters",
    "string_too_long": "must have {max_length} characters or fewer",
    "string_pattern_mismatch": "must match {pattern}",
    "too_short": "must have {min_length} or more entries",
    "too_long": "must have {max_length} entries or fewer",
}


_PATTERNS = {
    r"^\+[1-9][0-9]{6,14}$": "must be a number with its country code, such as +390612345678",
    "^([01][0-9]|2[0-3]):[0-5][0-9]$": "must be a time of day, such as 07:30",
    "^[1-9][0-9]{0,3}[smhd]$": "must be a time with its unit, such as 30s, 15m, 2h or 7d",
    "^[a-z][a-z0-9_.-]{0,99}$": "must be a word of small letters, digits, dots, dashes and underscores",
}
"""Of those that people get wrong; to be asked what an expression means is no help."""


def plain_words(fault: Mapping[str, Any]) -> str:
    """One of pydantic's errors as a message that follows the name of what is wrong."""
    words = _PATTERNS.get(str(fault.get("ctx", {}).get("pattern"))) or _WORDS.get(fault["type"])
    if words is None:
        return str(fault["msg"]).removeprefix("Value error, ")[:_LONGEST]
    try:
        return words.format_map(fault.get("ctx", {}))
    except KeyError:
        return str(fault["msg"])[:_LONGEST]
