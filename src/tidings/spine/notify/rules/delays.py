"""How long after its fact something is said: `15m`, `2h`, as settings are written."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from tidings.spine.notify.checking import Findings

NONE = timedelta(0)
PATTERN = r"^([0-9]{1,7}s|[0-9]{1,5}m|[0-9]{1,4}h|[0-9]{1,3}d)$"
"""999 days at most."""
_UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1), "s": timedelta(seconds=1)}


def read_delay(raw: Any, path: str, findings: Findings) -> timedelta:
    if raw is None:
        return NONE
    if not isinstance(raw, str) or not re.fullmatch(PATTERN, raw):
        findings.add(path, "must be a whole number with its unit, such as 30s, 15m, 2h or 7d; 999d at most")
        return NONE
    return int(raw[:-1]) * _UNITS[raw[-1]]


def delay_text(delay: timedelta) -> str | None:
    """In the largest unit that it is a whole number of; None where there is no delay."""
    if delay <= NONE:
        return None
    unit, size = next((u, s) for u, s in _UNITS.items() if not delay % s or u == "s")
    return f"{delay // size}{unit}"
