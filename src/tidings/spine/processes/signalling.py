"""Telling processes things. What is gathered goes as one signal for each process and name, with a list."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from tidings.kit.db import Pool
from tidings.spine.outbox.handlers import Kind, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Dead, Each, Failed, GivenBack, Outcome, Succeeded, describe
from tidings.spine.processes.absence import AWAY, is_away, patience
from tidings.spine.processes.connecting import Temporal
from tidings.spine.processes.kinds import SIGNAL

_BATCH = 500
_AT_ONCE = 16  # processes that are told something at a time
_Process: TypeAlias = tuple[str, str]  # its tenant, and its id


@dataclass(frozen=True)
class Message:
    """One signal, and the intents that are done with it."""

    process: str
    signal: str
    argument: Any
    intents: tuple[UUID, ...]


@dataclass(frozen=True)
class Signalling:
    pool: Pool
    temporal: Temporal
    clock: Callable[[], datetime]

    def kind(self) -> Kind:
        return Kind(SIGNAL, self.signal, Shape.BATCH, batch=_BATCH)

    async def signal(self, intents: Sequence[Intent]) -> Each:
        """One outcome for each. One that is not started yet is waited for; one that has ended needs to know nothing."""
        try:
            started = await self._started(intents)
            client = await self.temporal.client()
        except AWAY:
            return Each([self._later(intent) for intent in intents])
        ready = [intent for intent in intents if started.get(_process_of(intent))]
        outcomes = {intent.id: self._unready(intent, started) for intent in intents}
        outcomes |= await self._told(client, messages(ready), {intent.id: intent for intent in ready})
        return Each([outcomes[intent.id] for intent in intents])

    async def _started(self, intents: Sequence[Intent]) -> dict[_Process, bool]:
        rows = await self.pool.fetch(
            """SELECT tenant, id, started_at IS NOT NULL AS started FROM tidings.processes
               WHERE id = ANY ($1::text[])""",
            list({intent.data["process"] for intent in intents}),
        )
        return {(row["tenant"], row["id"]): row["started"] for row in rows}

    def _unready(self, intent: Intent, started: dict[_Process, bool]) -> Outcome:
        known = _process_of(intent) in started
        return self._later(intent) if known else Dead(f"there is no process {intent.data['process']}")

    def _later(self, intent: Intent) -> GivenBack:
        return GivenBack(patience(intent.due_at, self.clock()))

    async def _told(self, client: Client, told: Iterable[Message], intents: dict[UUID, Intent]) -> dict[UUID, Outcome]:
        """Many processes at once, but each one thing after the other: what it is told keeps its order where it can."""
        by_process: dict[str, list[Message]] = defaultdict(list)
        for message in told:
            by_process[message.process].append(message)
        outcomes: dict[UUID, Outcome] = {}
        turns = asyncio.Semaphore(_AT_ONCE)

        async def tell(messages: Sequence[Message]) -> None:
            async with turns:
                for message in messages:
                    outcomes.update(dict.fromkeys(message.intents, await self._send(client, message, intents)))

        await asyncio.gather(*map(tell, by_process.values()))
        return outcomes

    async def _send(self, client: Client, message: Message, intents: dict[UUID, Intent]) -> Outcome:
        handle = client.get_workflow_handle(message.process)
        try:
            await handle.signal(message.signal, message.argument, rpc_timeout=self.temporal.settings.patience)
        except AWAY:
            return self._later(intents[message.intents[0]])
        except RPCError as error:
            if is_away(error):
                return self._later(intents[message.intents[0]])
            return Succeeded() if error.status is RPCStatusCode.NOT_FOUND else Failed(describe(error))
        return Succeeded()


def _process_of(intent: Intent) -> _Process:
    """A tenant tells its own processes things, and nobody else's: those are not there."""
    return intent.tenant, intent.data["process"]


def messages(intents: Iterable[Intent]) -> list[Message]:
    """What is to be sent: in the order of the intents, the gathered ones at the place of the first of them."""
    groups: dict[tuple[Any, ...], list[Intent]] = defaultdict(list)
    for intent in sorted(intents, key=lambda each: each.id):
        alone = None if intent.data.get("gather") else intent.id
        groups[intent.data["process"], intent.data["signal"], alone].append(intent)
    return [_message(process, signal, group) for (process, signal, _), group in groups.items()]


def _message(process: str, signal: str, group: Sequence[Intent]) -> Message:
    arguments = [intent.data["argument"] for intent in group]
    argument = arguments if group[0].data.get("gather") else arguments[0]
    return Message(process, signal, argument, tuple(intent.id for intent in group))
