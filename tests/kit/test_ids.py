"""Ids in the order of time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from tests.outbox.engines import Owner
from tidings.kit.ids import first_id_at


async def test_the_first_id_of_a_moment_is_before_what_is_made_then_and_after_what_was(owner: Owner) -> None:
    made, at = await owner.fetchrow("SELECT tidings.uuid7(), clock_timestamp()")  # type: ignore[misc]
    assert first_id_at(at, -5) < made < first_id_at(at + timedelta(milliseconds=5)) == first_id_at(at, 5)


def test_times_that_no_id_has_are_the_first_or_the_last() -> None:
    assert first_id_at(datetime(1969, 1, 1, tzinfo=UTC)) == UUID(int=0)
    assert first_id_at(datetime(9999, 12, 31, tzinfo=UTC), 10**18) == UUID(int=((1 << 48) - 1) << 80)
