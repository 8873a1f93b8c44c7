"""What is asked of listeners: one that hangs has its time, and takes that of nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import tidings
from tidings.spine.notify.hearing import CouldNot, Hearing, Told
from tidings.spine.notify.listeners import Heard, listeners_in
from tidings.spine.notify.templates.rendering import Renderer

FACTS = [Heard(UUID(int=n), "default", "order.paid", {"n": n}, datetime.now(UTC)) for n in range(4)]
NOTICE = tidings.Notice("Paid", "Thank you.", [tidings.Selector(tidings.By.EVERYONE)], ["push"])


def hearing() -> Hearing:
    return Hearing((), Renderer(), timedelta(milliseconds=50))


async def test_after_a_fact_over_which_a_listener_hangs_the_rest_is_left_for_another_time() -> None:
    asked: list[int] = []

    @tidings.listener("order.paid", name="hangs")
    async def hangs(fact: Heard) -> tidings.Notice:
        asked.append(fact.data["n"])
        if fact.data["n"] == 1:
            await asyncio.Event().wait()
        return NOTICE

    verdicts = await hearing().by_function(next(listeners_in([hangs])), FACTS)
    assert verdicts == [Told((NOTICE,)), *[CouldNot("listener 'hangs': took longer than 0:00:00.050000", True)] * 3]
    assert asked == [0, 1]


async def test_a_batch_that_hangs_is_asked_one_by_one() -> None:
    @tidings.listener("order.paid", name="hangs", batch=True)
    async def hangs(facts: Sequence[Heard]) -> list[tidings.Notice]:
        if FACTS[3] in facts:
            await asyncio.Event().wait()
        return [NOTICE] * len(facts)

    verdicts = await hearing().by_function(next(listeners_in([hangs])), FACTS)
    assert verdicts[:3] == [Told((NOTICE,))] * 3
    assert isinstance(verdicts[3], CouldNot)


async def test_a_listeners_own_timeout_is_a_failure_like_any_other() -> None:
    @tidings.listener("order.paid", name="gives up")
    async def gives_up(fact: Heard) -> tidings.Notice:
        raise TimeoutError("the warehouse did not answer")

    verdicts = await hearing().by_function(next(listeners_in([gives_up])), FACTS)
    assert verdicts == [CouldNot("listener 'gives up': TimeoutError: the warehouse did not answer")] * 4
