"""What a provider can tell of a delivery, whoever the provider is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

LONGEST_RECEIPT = 500
_LONGEST_REASON = 500


class Confirmed(StrEnum):
    """What became of a delivery, in the order of what counts: a later one in this list is not undone by an earlier."""

    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"  # not delivered, for a reason that says nothing against the address for good
    BOUNCED = "bounced"  # not delivered, and never will be: nothing is sent to this address any more
    COMPLAINED = "complained"  # the person called it spam: nothing is sent to this address any more


ORDER = tuple(Confirmed)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that a provider told of the message that it calls `receipt`.

    `delivery` is our own id for it, where the provider gives it back; `at` when it happened, where it says so.
    """

    receipt: str
    confirmed: Confirmed
    reason: str | None = None
    delivery: UUID | None = None
    at: datetime | None = None


def strongest(events: Iterable[Event]) -> list[Event]:
    """One event for each message: what counts most of all that was told of it."""
    kept: dict[str, Event] = {}
    for event in events:
        known = kept.get(event.receipt)
        if known is None or ORDER.index(known.confirmed) < ORDER.index(event.confirmed):
            kept[event.receipt] = event
    return list(kept.values())


def is_receipt(text: object) -> bool:
    """Whether it can be the id of a message: something that could have been stored."""
    return isinstance(text, str) and 0 < len(text) <= LONGEST_RECEIPT and text.isascii() and text.isprintable()


def in_words(*parts: object) -> str | None:
    """What a provider said, in one line that can be stored; None where it said nothing."""
    said = " ".join(" ".join(str(part).split()) for part in parts if part not in (None, ""))
    kept = said.replace("\x00", "�").encode("utf-8", "replace").decode()[:_LONGEST_REASON]
    return kept or None
