"""Reports when a NOTIFY arrives: `python -m bench.listener URL`. The limit for waking a worker."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from typing import Any

import asyncpg
import uvloop

from bench.handlers import PORT_VARIABLE, STAMP


async def listen(url: str) -> None:
    reports = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    to = ("127.0.0.1", int(os.environ[PORT_VARIABLE]))

    def notified(connection: Any, pid: int, channel: str, payload: object) -> None:
        reports.sendto(STAMP.pack(int(str(payload)), time.monotonic()), to)

    connection = await asyncpg.connect(url)
    await connection.add_listener("bench", notified)
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(listen(sys.argv[1]))
