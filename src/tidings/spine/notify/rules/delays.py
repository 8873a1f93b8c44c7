"""How long after its fact something is said: `15m`, `2h`, as settings are written."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from tidings.spine.notify.checking import Findings

NONE = timedelta(0)
LONGEST = timedelta(days=365)
PATTERN = r"^[0-9]{1,9}(s|m|h|d)$"
_UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1), "s": timedelta(seconds=1)}


def read_delay(raw: Any, path: str, findings: Findings) -> timedelta:
    if raw is None:
        return NONE
    if not isinstance(raw, str) or not re.fullmatch(PATTERN, raw):
        findings.add(path, "must be a whole number with its unit, such as 30s, 15m, 2h or 7d")
        return NONE
    seconds = int(raw[:-1]) * _UNITS[raw[-1]].total_seconds()
    if seconds > LONGEST.total_seconds():
        findings.add(path, f"must be {LONGEST.days}d or less")
        return NONE
    return timedelta(seconds=seconds)


def delay_text(delay: timedelta) -> str | None:
    """In the largest unit that it is a whole number of; None where there is no delay."""
    if delay <= NONE:
        return None
    unit, size = next((u, s) for u, s in _UNITS.items() if not delay % s or u == "s")
    return f"{delay // size}{unit}"
