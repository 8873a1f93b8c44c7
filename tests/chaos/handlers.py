"""What the workers under test load: each intent is sent to the harness's provider under its own id."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Sequence

from tidings.kit.db import Connection
from tidings.spine.outbox.handlers import handler
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Permanent

_LIFE = os.environ["CHAOS_LIFE"]
_HOST, _, _PORT = os.environ["CHAOS_PROVIDER"].partition(":")


class Provider:
    """One connection for the whole process; answers come back in any order."""

    def __init__(self) -> None:
        self.writer: asyncio.StreamWriter | None = None
        self.opening = asyncio.Lock()
        self.answers: dict[int, asyncio.Future[str]] = {}
        self.count = 0

    async def send(self, intent: Intent) -> str:
        """Sends under the intent's id as key, and returns what the provider wants to happen next."""
        writer = await self._connected()
        self.count += 1
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.answers[self.count] = answer
        message = {
            "n": self.count,
            "key": str(intent.id),
            "tenant": intent.tenant,
            "due_at": intent.due_at.isoformat(),
            "life": _LIFE,
            "pid": os.getpid(),
        }
        writer.write(json.dumps(message).encode() + b"\n")
        return await answer

    async def _connected(self) -> asyncio.StreamWriter:
        async with self.opening:
            if self.writer is None:
                reader, self.writer = await asyncio.open_connection(_HOST, int(_PORT))
                self.reading = asyncio.create_task(self._read(reader))
            return self.writer

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            n, verdict = json.loads(line)
            answer = self.answers.pop(n)
            if not answer.done():
                answer.set_result(verdict)


PROVIDER = Provider()


def obey(verdict: str) -> None:
    match verdict:
        case "crash":
            os._exit(66)
        case "hang":
            time.sleep(3600)  # stops the whole event loop, and with it every renewal
        case "fail":
            raise RuntimeError("the provider failed")
        case "permanent":
            raise Permanent("the provider will never take this")


@handler("chaos.sent")
async def send(intent: Intent) -> None:
    obey(await PROVIDER.send(intent))


@handler("chaos.batched", batch=10, concurrency=1)
async def send_batch(intents: Sequence[Intent]) -> None:
    for verdict in await asyncio.gather(*map(PROVIDER.send, intents)):
        obey(verdict)


@handler("chaos.bulk", batch=1_000, concurrency=1)
async def send_bulk(intents: Sequence[Intent]) -> None:
    for intent in intents:
        obey(await PROVIDER.send(intent))


@handler("chaos.booked", transaction=True, batch=10, concurrency=1)
async def book(connection: Connection, intents: Sequence[Intent]) -> None:
    """Nothing tells a second booking of the same intent from the first: only the transaction does."""
    await connection.execute("INSERT INTO booked SELECT unnest($1::text[])", [str(intent.id) for intent in intents])
