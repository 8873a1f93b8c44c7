"""Asking once for many: what is asked while an answer is under way goes together into the next question."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")


@dataclass
class Batcher(Generic[Q, A]):
    """Calls `run` with everything that waits. Alone, a question goes out at once; under load they share the way.

    Every question is answered by a run that began after it was asked. `run` gives an answer, or an error to be
    raised, for each question in its order; when it raises, everybody in that batch hears of it.
    """

    run: Callable[[Sequence[Q]], Awaitable[Sequence[A | Exception]]]
    at_once: int = 2
    most: int = 100
    waiting: list[tuple[Q, asyncio.Future[A]]] = field(default_factory=list)
    workers: set[asyncio.Task[None]] = field(default_factory=set)

    def ask(self, question: Q) -> asyncio.Future[A]:
        answer: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self.waiting.append((question, answer))
        if len(self.workers) < self.at_once:
            self.workers.add(asyncio.create_task(self._work()))
        return answer

    async def _work(self) -> None:
        """Leaves in the same breath in which it finds nothing: whoever asks then starts another."""
        me = asyncio.current_task()
        assert me is not None
        try:
            while self.waiting:
                batch, self.waiting = self.waiting[: self.most], self.waiting[self.most :]
                answers = await self._answers([question for question, _ in batch])
                for (_, future), answer in zip(batch, answers, strict=True):
                    _settle(future, answer)
        finally:
            self.workers.discard(me)

    async def _answers(self, questions: Sequence[Q]) -> Sequence[A | Exception]:
        try:
            return await self.run(questions)
        except Exception as error:
            return [error] * len(questions)


def _settle(future: asyncio.Future[A], answer: A | Exception) -> None:
    if future.done():  # whoever asked has gone
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
