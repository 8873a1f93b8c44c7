"""Which act is next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tidings.modules.events.process.acts import Acts
from tidings.modules.events.process.contracts import Act, ActKind

NOW = datetime(2026, 11, 18, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def act(number: int) -> Act:
    return Act(act=number, fact_id="", kind=ActKind.ANNOUNCED)


def taken(acts: Acts, now: datetime) -> list[int]:
    acts.give_up(now)
    found = []
    while (each := acts.take(now)) is not None:
        found.append(each.act)
    return found


@given(st.permutations([1, 2, 3, 4, 5, 6]), st.lists(st.integers(1, 6)), st.lists(st.booleans()))
def test_each_is_taken_once_and_in_order(order: list[int], again: list[int], looking: list[bool]) -> None:
    acts, found = Acts(MINUTE), []
    for number, looks in zip([*order, *again], [*looking, *[True] * 50], strict=False):
        acts.put([act(number)])
        found += taken(acts, NOW) if looks else []
    found += taken(acts, NOW)
    assert found == [1, 2, 3, 4, 5, 6]
    assert not acts.is_behind


def test_one_that_is_missing_is_waited_for_and_taken_when_it_comes_late() -> None:
    acts = Acts(MINUTE)
    acts.put([act(1), act(4)])
    assert taken(acts, NOW) == [1]
    assert acts.wait(NOW) == NOW + MINUTE
    assert taken(acts, NOW + MINUTE / 2) == []
    assert taken(acts, NOW + MINUTE) == [4]
    assert acts.missing == {2, 3}
    acts.put([act(3), act(3), act(4), act(1)])
    assert taken(acts, NOW + MINUTE) == [3]
    assert (acts.missing, acts.last, acts.is_behind) == ({2}, 4, False)


def test_those_that_are_known_of_and_never_come_are_gone_past() -> None:
    acts = Acts(MINUTE, last=1, known=1)
    acts.expect(3)
    assert acts.is_behind
    assert taken(acts, NOW) == []
    assert taken(acts, NOW + MINUTE) == []
    assert (acts.missing, acts.is_behind) == ({2, 3}, False)


def test_each_gap_is_waited_for_anew() -> None:
    acts = Acts(MINUTE)
    acts.put([act(2)])
    assert taken(acts, NOW) == []
    assert taken(acts, NOW + MINUTE) == [2]
    acts.put([act(4)])
    assert taken(acts, NOW + MINUTE) == []
    assert taken(acts, NOW + MINUTE * 2) == [4]
