"""The states of an intent: one table of transitions, the same in the code and in the database."""

from __future__ import annotations

from itertools import product

import asyncpg
import pytest

from tests.outbox.engines import Owner, schedule
from tidings.kit.errors import Conflict
from tidings.spine.outbox.states import FINISHED, OPEN, TRANSITIONS, Status, require

LEGAL = {
    "pending": "pending processing enqueued cancelled",
    "processing": "processing succeeded failed dead pending cancelled",
    "failed": "pending processing enqueued cancelled",
    "enqueued": "pending processing cancelled",
    "dead": "pending cancelled",
    "cancelled": "pending",
    "succeeded": "",
}


@pytest.mark.parametrize(("current", "wanted"), list(product(Status, Status)))
def test_a_transition_is_legal_or_raises(current: Status, wanted: Status) -> None:
    if wanted.value in LEGAL[current.value].split():
        require(current, wanted)
    else:
        with pytest.raises(Conflict, match=f"an intent that is {current} cannot become {wanted}"):
            require(current, wanted)


def test_every_state_is_open_or_finished_and_has_its_transitions() -> None:
    assert OPEN | FINISHED == set(Status) == set(TRANSITIONS)
    assert not OPEN & FINISHED


async def test_the_database_knows_the_same_states(owner: Owner) -> None:
    await schedule(owner)
    for status in FINISHED:
        with pytest.raises(asyncpg.CheckViolationError):
            await owner.execute("UPDATE tidings.outbox SET status = $1", status.value)
    with pytest.raises(asyncpg.CheckViolationError):
        await owner.execute("UPDATE tidings.outbox SET status = 'processing'")
    with pytest.raises(asyncpg.CheckViolationError):
        await owner.execute("UPDATE tidings.outbox SET lease_token = gen_random_uuid()")
