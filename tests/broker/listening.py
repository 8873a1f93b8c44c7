"""Two listeners of one type, for workers of tests."""

from __future__ import annotations

from collections import Counter

import tidings
from tidings.spine.notify.listeners import Heard

runs: Counter[tuple[str, str]] = Counter()
"""How often each was asked about each fact, in this process."""
NAMES = ("parcels.sender", "parcels.receiver")


def notice(fact: Heard) -> tidings.Notice:
    everyone = tidings.Selector(tidings.By.EVERYONE)
    return tidings.Notice(f"Parcel {fact.data['n']}", "It is on its way.", to=[everyone], channels=["push"])


@tidings.listener("parcel.sent", name=NAMES[0])
async def tell_the_sender(fact: Heard) -> tidings.Notice:
    """Fails as often as the fact says."""
    runs[NAMES[0], str(fact.id)] += 1
    if runs[NAMES[0], str(fact.id)] <= fact.data.get("fails", 0):
        raise RuntimeError("cannot tell the sender")
    return notice(fact)


@tidings.listener("parcel.*", name=NAMES[1])
async def tell_the_receiver(fact: Heard) -> tidings.Notice:
    runs[NAMES[1], str(fact.id)] += 1
    return notice(fact)
