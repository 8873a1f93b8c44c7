"""The clock of these tests, and how long they wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
PATIENT = timedelta(seconds=10)  # where nothing should take long
SHORT = timedelta(seconds=0.3)  # where time is to run out
