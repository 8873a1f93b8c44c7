"""Asking once for many."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from tidings.kit.batching import Batcher


async def test_what_is_asked_meanwhile_goes_together() -> None:
    batches: list[Sequence[int]] = []

    async def double(questions: Sequence[int]) -> Sequence[int | Exception]:
        batches.append(questions)
        await asyncio.sleep(0)
        return [question * 2 for question in questions]

    batcher: Batcher[int, int] = Batcher(double, at_once=1, most=10)
    assert await asyncio.gather(*(batcher.ask(n) for n in range(25))) == [n * 2 for n in range(25)]
    assert [len(batch) for batch in batches] == [10, 10, 5]
    assert not batcher.waiting


async def test_who_asks_the_moment_they_are_answered_is_answered_again() -> None:
    """The one who answered them is leaving by then, and takes no more questions."""

    async def same(questions: Sequence[int]) -> Sequence[int | Exception]:
        return list(questions)

    batcher: Batcher[int, int] = Batcher(same, at_once=1)
    async with asyncio.timeout(5):
        assert [await batcher.ask(n) for n in range(3)] == [0, 1, 2]


async def test_each_hears_their_own_error_and_all_hear_of_a_failure() -> None:
    async def picky(questions: Sequence[int]) -> Sequence[int | Exception]:
        if 13 in questions:
            raise OSError("away")
        return [ValueError(str(question)) if question < 0 else question for question in questions]

    batcher: Batcher[int, int] = Batcher(picky)
    answers = await asyncio.gather(batcher.ask(1), batcher.ask(-1), return_exceptions=True)
    assert answers[0] == 1
    assert isinstance(answers[1], ValueError)
    with pytest.raises(OSError, match="away"):
        await batcher.ask(13)
    assert await batcher.ask(2) == 2


async def test_who_has_gone_does_not_spoil_it_for_the_others() -> None:
    going = asyncio.Event()

    async def slow(questions: Sequence[int]) -> Sequence[int | Exception]:
        await going.wait()
        return list(questions)

    batcher: Batcher[int, int] = Batcher(slow, at_once=1)
    gone, stays = batcher.ask(1), batcher.ask(2)
    await asyncio.sleep(0)
    gone.cancel()
    going.set()
    assert await stays == 2
