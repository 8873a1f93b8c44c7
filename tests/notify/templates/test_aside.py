"""What is slow holds nobody up, and what is not costs no thread."""

from __future__ import annotations

import asyncio
import threading
import time

from tidings.spine.notify.templates.aside import Aside


def slow() -> int:
    """Uses the processor for a while, and says in which thread it was."""
    until = time.thread_time() + 0.03
    while time.thread_time() < until:
        pass
    return threading.get_ident()


async def test_what_was_slow_twice_is_done_in_a_thread_from_then_on() -> None:
    aside, here = Aside(), threading.get_ident()
    where = [await aside.run("slow", slow) for _ in range(4)]
    assert (where[:2], here in where[2:]) == ([here, here], False)
    assert await aside.run("other", threading.get_ident) == here


async def test_one_that_was_slow_once_stays() -> None:
    aside, here = Aside(), threading.get_ident()
    runs = [slow, threading.get_ident, slow, threading.get_ident]
    assert [await aside.run("compiled first", run) for run in runs] == [here] * 4


async def test_others_have_their_turn_in_the_midst_of_much_that_is_quick() -> None:
    aside, seen = Aside(), []

    async def other() -> None:
        seen.append("other")

    task = asyncio.create_task(other())
    for n in range(3):
        await aside.run(n, slow)
    assert seen == ["other"]
    await task


async def test_slow_ones_come_one_after_another_and_what_they_raise_is_raised() -> None:
    aside, under_way, most = Aside({"slow": 2}), [], []

    def failing() -> None:
        under_way.append(1)
        most.append(len(under_way))
        slow()
        under_way.pop()
        raise ValueError("slow, and wrong")

    results = await asyncio.gather(*(aside.run("slow", failing) for _ in range(3)), return_exceptions=True)
    assert ([str(result) for result in results], most) == (["slow, and wrong"] * 3, [1, 1, 1])
