"""Bar 10: what `import tidings` costs a program that only emits, beyond its driver."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack
from functools import partial

from bench.figures import Claim, Figure, Result
from bench.plan import Bar, Plan
from bench.processes import output_of
from bench.rounds import take_turns

_PROGRAM = """
import time
import {driver}
began = time.perf_counter()
from tidings import aemit, emit, emit_many
print((time.perf_counter() - began) * 1000)
"""
_DRIVERS = ("asyncpg", "psycopg", "sqlalchemy.ext.asyncio")


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    runs = {f"import tidings after {driver}": partial(_cost, driver) for driver in _DRIVERS}
    for run in runs.values():
        await run()
    found: list[Figure] = list((await take_turns(runs, plan.rounds * 3, plan.say, "ms")).values())
    how = ["A fresh process each, byte code present: the time of `from tidings import aemit, emit, emit_many` alone."]
    return Result(how, found, [Claim(row.name, row.median, 50, " ms", at_least=False) for row in found])


async def _cost(driver: str) -> float:
    return float(await output_of((sys.executable, "-c", _PROGRAM.format(driver=driver))))


BAR = Bar("importing", "10. import tidings, beyond the driver", _measure)
