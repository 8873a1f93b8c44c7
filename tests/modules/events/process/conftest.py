"""An event's process, on real Temporal servers and a real database."""

from __future__ import annotations

from tests.support.staging import organiser, own_ids, skipping, skipping_stage, stage

__all__ = ["organiser", "own_ids", "skipping", "skipping_stage", "stage"]
