"""Calling a handler: one intent or a batch, in a thread or on the loop, with a deadline, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tidings.kit import telemetry
from tidings.spine.journal.causes import CURRENT
from tidings.spine.outbox.handlers import Kind
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Again, Outcome, Succeeded, outcome_of


async def run_one(kind: Kind, intent: Intent) -> Outcome:
    """One intent; whatever the handler raises becomes an outcome."""
    try:
        return _returned(await _call(kind, [intent], intent))
    except Exception as error:
        return outcome_of(error)


async def run_batch(kind: Kind, intents: Sequence[Intent]) -> list[Outcome]:
    """A batch; when it fails, each of its intents is tried by itself, so that one cannot fail the others."""
    try:
        return [_returned(await _call(kind, intents, intents))] * len(intents)
    except Exception as error:
        if len(intents) == 1:
            return [outcome_of(error)]
    return [(await run_batch(kind, [intent]))[0] for intent in intents]


async def call_in_transaction(kind: Kind, connection: Any, intents: Sequence[Intent]) -> Outcome:
    """A handler that writes on our connection. It raises what the handler raises: the transaction must roll back."""
    return _returned(await _call(kind, intents, connection, intents))


async def _call(kind: Kind, intents: Sequence[Intent], *arguments: Any) -> Any:
    """Calls the handler. What it emits names the intent as its cause, where there is one alone."""
    current = CURRENT.set(intents[0] if len(intents) == 1 else None)
    first = intents[0]
    deadline = asyncio.timeout(kind.timeout.total_seconds() if kind.timeout else None)
    try:
        with telemetry.handling(kind.name, first.tenant, first.id, first.metadata_text):
            async with deadline:
                if kind.is_async:
                    return await kind.function(*arguments)
                return await asyncio.to_thread(kind.function, *arguments)
    except TimeoutError as error:
        if deadline.expired():
            raise TimeoutError(f"took longer than {kind.timeout}") from error
        raise
    except asyncio.CancelledError:
        if _is_being_cancelled():
            raise
        raise RuntimeError("something that it waited for was cancelled") from None
    except SystemExit as error:
        raise RuntimeError(f"called sys.exit({error.code!r})") from error
    finally:
        CURRENT.reset(current)


def _is_being_cancelled() -> bool:
    """Whether the engine cancelled this run, and not the handler something of its own."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _returned(value: Any) -> Outcome:
    """A handler may return `Again(at)`; anything else it returns means that it is done."""
    return value if isinstance(value, Again) else Succeeded()
