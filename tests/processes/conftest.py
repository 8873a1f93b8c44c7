"""Processes, on a real Temporal; those of events, since there must be some."""

from __future__ import annotations

from tests.support.staging import organiser, own_ids, skipping, skipping_stage, stage

__all__ = ["organiser", "own_ids", "skipping", "skipping_stage", "stage"]
