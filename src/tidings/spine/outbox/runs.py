"""Calling a handler: one intent or a batch, in a thread or on the loop, with a deadline, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import structlog

from tidings.kit import telemetry
from tidings.kit.db import Connection
from tidings.spine.journal.causes import CURRENT
from tidings.spine.outbox.handlers import Kind
from tidings.spine.outbox.intents import Leased
from tidings.spine.outbox.outcomes import Each, GivenBack, Outcome, Permanent, RetryLater, Succeeded, outcome_of

log = structlog.get_logger("tidings.outbox")


@dataclass(frozen=True)
class Caller:
    """Calls the handler of one kind, `runs` times at once at most."""

    kind: Kind
    runs: int

    async def one(self, intent: Leased) -> Outcome:
        """One intent; whatever the handler raises becomes an outcome."""
        try:
            return _returned(await self._call([intent], intent))
        except Exception as error:
            return self.failed([intent], error)

    async def batch(self, intents: Sequence[Leased], is_wanted: Callable[[Leased], Awaitable[bool]]) -> list[Outcome]:
        """A batch; when it fails, each of its intents is tried by itself, so that one cannot fail the others.

        That takes its time, so each is asked for once more: it may have been cancelled or moved meanwhile.
        """
        try:
            return list(_each(await self._call(intents, intents), intents))
        except Exception as error:
            failure: Outcome = self.failed(intents, error)
        if len(intents) == 1:
            return [failure]
        return [
            (await self.batch([intent], is_wanted))[0] if await is_wanted(intent) else GivenBack() for intent in intents
        ]

    async def in_transaction(self, connection: Connection, intents: Sequence[Leased]) -> Sequence[Outcome]:
        """A handler that writes on our connection. Raises what the handler raises: the transaction must roll back."""
        return _each(await self._call(intents, connection, intents), intents)

    def failed(self, intents: Sequence[Leased], error: BaseException) -> Outcome:
        """What a handler's error means for its intent; says so in the log, with a traceback unless it was meant."""
        first, expected = intents[0], isinstance(error, Permanent | RetryLater)
        what = {"intents": len(intents)} if len(intents) > 1 else {"intent": str(first.id), "attempt": first.attempt}
        log.warning("handler failed", kind=self.kind.name, **what, error=repr(error), exc_info=not expected and error)
        return outcome_of(error)

    def close(self) -> None:
        """Starts no more threads. Those that run go on: nothing can stop them."""
        if "_threads" in self.__dict__:
            self._threads.shutdown(wait=False, cancel_futures=True)

    async def _call(self, intents: Sequence[Leased], *arguments: Any) -> Any:
        """Calls the handler. What it emits names the intent as its cause, where there is one alone."""
        current = CURRENT.set(intents[0] if len(intents) == 1 else None)
        first = intents[0]
        try:
            with telemetry.handling(self.kind.name, first.tenant, first.id, first.metadata_text):
                return await (self._awaited(arguments) if self.kind.is_async else self._in_thread(arguments))
        except asyncio.CancelledError:
            if _is_being_cancelled():
                raise
            raise RuntimeError("something that it waited for was cancelled") from None
        except SystemExit as error:
            raise RuntimeError(f"called sys.exit({error.code!r})") from error
        except (Exception, KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:
            raise RuntimeError(f"raised {error!r}, which is no Exception") from error
        finally:
            CURRENT.reset(current)

    async def _awaited(self, arguments: Sequence[Any]) -> Any:
        deadline = asyncio.timeout(self._longest)
        try:
            async with deadline:
                return await self.kind.function(*arguments)
        except TimeoutError as error:
            if deadline.expired():
                raise TimeoutError(f"took longer than {self.kind.timeout}") from error
            raise

    async def _in_thread(self, arguments: Sequence[Any]) -> Any:
        """A plain function cannot be stopped: past its deadline it is waited for, so that it never runs twice at once,
        and what it comes to in the end counts."""
        loop = asyncio.get_running_loop()
        run = loop.run_in_executor(self._threads, copy_context().run, _caught, self.kind.function, arguments)
        _, late = await asyncio.wait([run], timeout=self._longest)
        if late:
            log.warning("a plain function takes longer than its timeout", kind=self.kind.name, timeout=self._longest)
        value, error = await asyncio.shield(run)
        if error is not None:
            raise error
        return value

    @property
    def _longest(self) -> float | None:
        return self.kind.timeout.total_seconds() if self.kind.timeout else None

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        """The kind's own: the functions of another kind cannot keep these waiting."""
        return ThreadPoolExecutor(self.runs, thread_name_prefix=self.kind.name)


def _caught(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, BaseException | None]:
    """What a function returned or raised; a future cannot carry every error."""
    try:
        return function(*arguments), None
    except BaseException as error:
        return None, error


def _is_being_cancelled() -> bool:
    """Whether the engine cancelled this run, and not the handler something of its own."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _each(value: Any, intents: Sequence[Leased]) -> Sequence[Outcome]:
    """One of ours may say for each what came of it."""
    return value.outcomes if isinstance(value, Each) else [_returned(value)] * len(intents)


def _returned(value: Any) -> Outcome:
    """A handler may return `Again(at)`, and one of ours any outcome; anything else it returns means that it is done."""
    return value if isinstance(value, Outcome) else Succeeded()
