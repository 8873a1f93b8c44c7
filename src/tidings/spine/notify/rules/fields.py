"""The plain fields of a rule, as they are written in JSON. Each gives something to go on with where it is wrong."""

from __future__ import annotations

import json
import re
from typing import Any

from tidings.spine.channels.port import Channel, Level
from tidings.spine.notify.checking import Findings, below, encodable

SLUG = r"^[a-z][a-z0-9_.-]{0,99}$"
LARGEST_PROPERTIES = 16 * 1024


def read_words(raw: Any, path: str, longest: int, findings: Findings) -> str:
    if not isinstance(raw, str) or not 1 <= len(raw) <= longest or "\0" in raw or not encodable(raw):
        findings.add(path, "is missing" if raw is None else f"must be a text of 1 to {longest} characters")
        return ""
    return raw


def read_channels(raw: Any, path: str, findings: Findings) -> tuple[Channel, ...]:
    if not isinstance(raw, list) or not raw:
        findings.add(path, "must be a list of channels, at least one")
        return ()
    known = set(Channel)
    for n, each in enumerate(raw[: len(known) + 1]):
        if not isinstance(each, str) or each not in known:
            findings.add(below(path, n), f"must be one of {', '.join(Channel)}")
    if len(raw) != len({str(each) for each in raw}):
        findings.add(path, "must name each channel once")
    return tuple(Channel(each) for each in raw if isinstance(each, str) and each in known)


def read_slug(raw: Any, path: str, findings: Findings) -> str:
    if not isinstance(raw, str) or not re.fullmatch(SLUG, raw):
        findings.add(path, "must be lower-case letters, digits, _, - and dots, 100 at most, and begin with a letter")
        return ""
    return raw


def read_level(raw: Any, path: str, findings: Findings) -> Level:
    if not isinstance(raw, str) or raw not in set(Level):
        findings.add(path, f"must be one of {', '.join(Level)}")
        return Level.INFO
    return Level(raw)


def read_flag(raw: Any, path: str, findings: Findings) -> bool:
    if not isinstance(raw, bool):
        findings.add(path, "must be true or false")
    return raw is True


def read_properties(raw: Any, path: str, findings: Findings) -> dict[str, Any]:
    if not isinstance(raw, dict):
        findings.add(path, "must be a JSON object")
        return {}
    try:
        text = json.dumps(raw, allow_nan=False)
    except (ValueError, RecursionError):
        text = None
    if text is None or "\\u0000" in text or len(text) > LARGEST_PROPERTIES:
        findings.add(path, f"must be a JSON object that can be stored, of at most {LARGEST_PROPERTIES} bytes")
        return {}
    return raw
