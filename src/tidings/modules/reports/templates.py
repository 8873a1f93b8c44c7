"""Schedules to start from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Template:
    """`fields` are those of a schedule, by the names that clients give them."""

    id: str
    name: str
    description: str
    fields: Mapping[str, Any]


TEMPLATES: Sequence[Template] = (
    Template(
        "daily-operations",
        "Operations, every morning",
        "What went wrong since the morning before, at eight.",
        {"reportTypeId": "ops-dashboard", "cadenceType": "daily", "scheduleTime": "08:00"},
    ),
    Template(
        "weekly-deliveries",
        "Deliveries, on Mondays",
        "What was sent, failed and skipped in a week, on Mondays at nine.",
        {"reportTypeId": "delivery-summary", "cadenceType": "weekly", "cadenceDay": 0, "scheduleTime": "09:00"},
    ),
    Template(
        "monthly-deliveries",
        "Deliveries, at the end of the month",
        "What was sent, failed and skipped in a month, on its last day at six in the evening.",
        {"reportTypeId": "delivery-summary", "cadenceType": "monthly", "cadenceDay": 31, "scheduleTime": "18:00"},
    ),
)
