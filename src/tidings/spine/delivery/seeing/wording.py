"""Words for what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from tidings.spine.delivery.seeing.evidence import Who

_SHOWN = 3
_BY = {
    "person": "the person",
    "externalId": "external id",
    "email": "e-mail",
    "userType": "user type",
    "group": "group",
    "topic": "topic",
}


def moment(at: datetime | None) -> str:
    return "a time that is not known" if at is None else f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def called(who: Who) -> str:
    return who.name or f"The person {who.id}"


def audience(selectors: Sequence[Mapping[str, Any]]) -> str:
    return "; ".join(map(_selector, selectors)) or "nobody"


def _selector(selector: Mapping[str, Any]) -> str:
    of_type = f" of user type {kind}" if (kind := selector.get("userType")) else ""
    if selector["by"] == "everyone":
        return f"everyone{of_type}"
    by, values = _BY[selector["by"]], selector.get("values") or []
    if not values:
        return f"nobody (the fact names no {by.removeprefix('the ')})"
    more = f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else ""
    return f"{by} {', '.join(values[:_SHOWN])}{more}{of_type}"


def place(channel: str, address: str) -> str:
    """An address as it may be read out; a device's token is no use to anybody, and long."""
    return f"{address[:8]}…" if channel == "push" and len(address) > 9 else address


def sentence(text: str) -> str:
    """As one: a capital letter first, a full stop last."""
    trimmed = text.strip()
    return trimmed[:1].upper() + trimmed[1:] + ("" if trimmed.endswith((".", "!", "?")) else ".")
