"""Handlers that do nothing, one kind for each way to be called. Loaded by real workers."""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Sequence

from tidings.spine.outbox.handlers import handler
from tidings.spine.outbox.intents import Intent

PORT_VARIABLE = "BENCH_REPORT_PORT"
STAMP = struct.Struct("!qd")
_REPORTS = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
_TO = ("127.0.0.1", int(os.environ.get(PORT_VARIABLE, "9")))


@handler("bench.batch_1", batch=1)
async def one_of_a_batch(intents: Sequence[Intent]) -> None: ...


@handler("bench.batch_10", batch=10)
async def ten(intents: Sequence[Intent]) -> None: ...


@handler("bench.batch_100", batch=100)
async def a_hundred(intents: Sequence[Intent]) -> None: ...


@handler("bench.batch_1000", batch=1000)
async def a_thousand(intents: Sequence[Intent]) -> None: ...


@handler("bench.one")
async def one(intent: Intent) -> None: ...


@handler("bench.stamped")
async def stamped(intent: Intent) -> None:
    """Says when it began, by the clock that all processes of a machine share."""
    _REPORTS.sendto(STAMP.pack(intent.data["n"], time.monotonic()), _TO)
