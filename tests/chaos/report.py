"""What came of a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Counts: TypeAlias = Mapping[str, int]
"""What was counted, by what it is."""
