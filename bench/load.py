"""Clients that post facts as fast as they are answered: `python -m bench.load PORT SECONDS`.

In a process of its own. Reads the clients' API keys from stdin, one a line; prints requests a second as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import cast
from uuid import uuid4

import uvloop

_BODY = b'{"type": "bench.posted", "data": {"order": 4711, "amount": "12.50", "currency": "EUR"}}'
_WARM_UP = 1.0


@dataclass
class Client(asyncio.Protocol):
    """One connection, one request at a time, each with its own Idempotency-Key."""

    key: str
    answers: Counter[int]
    received: bytes = b""
    transport: asyncio.Transport = field(init=False)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._post()

    def data_received(self, data: bytes) -> None:
        self.received += data
        head, end, body = self.received.partition(b"\r\n\r\n")
        if end and len(body) >= _length(head):
            self.received = b""
            self.answers[int(head[9:12])] += 1
            self._post()

    def _post(self) -> None:
        self.transport.write(
            b"POST /v1/facts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Authorization: Bearer %b\r\nIdempotency-Key: %b\r\nContent-Length: %d\r\n\r\n%b"
            % (self.key.encode(), uuid4().hex.encode(), len(_BODY), _BODY)
        )


def _length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])


async def load(port: int, seconds: float, keys: list[str]) -> None:
    loop, answers = asyncio.get_running_loop(), Counter[int]()
    for key in keys:
        await loop.create_connection(partial(Client, key, answers), "127.0.0.1", port)
    await asyncio.sleep(_WARM_UP)
    answers.clear()
    began = time.monotonic()
    await asyncio.sleep(seconds)
    took = time.monotonic() - began
    print(json.dumps({"rate": answers[201] / took, "refused": answers.total() - answers[201], "by": dict(answers)}))


if __name__ == "__main__":
    uvloop.run(load(int(sys.argv[1]), float(sys.argv[2]), sys.stdin.read().split()))
