"""Outcomes in a word, for tables of what an answer means."""

from __future__ import annotations

from tidings.spine.channels.port import Blame, Deferred, Outcome, Rejected


def meaning_of(outcome: Outcome) -> str:
    match outcome:
        case Rejected(gone=True):
            return "gone"
        case Deferred(blame=Blame.ADDRESS):
            return "deferred for the address"
        case _:
            return type(outcome).__name__.lower()
