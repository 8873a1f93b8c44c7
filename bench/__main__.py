"""`python -m bench [NAME …] [--quick]`: all bars or some; exit code 1 when a bar that ran is not met."""

from __future__ import annotations

import argparse
import asyncio
import sys
import traceback
from collections.abc import Coroutine, Sequence
from datetime import UTC, datetime
from typing import Any

from bench.bars import BARS
from bench.machine import conditions
from bench.plan import Bar, Plan
from bench.report import save, section
from bench.server import scratch, serving


def main() -> int:
    options = _options()
    with scratch() as home:
        return asyncio.run(_in(home, [BARS[name] for name in options.bars or BARS], options.quick))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("bars", nargs="*", metavar="NAME", help=f"one of {', '.join(BARS)}; default: all")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, fewer rounds; RESULTS.md stays as it is")
    options = parser.parse_args()
    if unknown := set(options.bars) - set(BARS):
        parser.error(f"no such bar: {', '.join(sorted(unknown))}; there are {', '.join(BARS)}")
    return options


async def _in(home: Any, bars: Sequence[Bar], quick: bool) -> int:
    async with serving(home) as server:
        measuring = _measure(Plan(server, home, quick, _say), bars)
        return await _unless_stopped(measuring, server.supervisor.stop_requested)


async def _measure(plan: Plan, bars: Sequence[Bar]) -> int:
    lines, unmet = await conditions(plan.server), []
    for bar in bars:
        _say(f"{bar.title} ...")
        try:
            result = await bar.measure(plan)
        except Exception:  # a bar that cannot be measured is not met; the others still are to be measured
            traceback.print_exc()
            unmet.append(bar.name)
            continue
        text = section(bar.title, datetime.now(UTC), lines, result)
        print(f"\n{text}")
        if not plan.quick:
            save({bar.title: text})
        if not result.met:
            unmet.append(bar.name)
    print(f"Not met: {', '.join(unmet)}" if unmet else "All bars that ran are met.")
    return 1 if unmet else 0


async def _unless_stopped(work: Coroutine[Any, Any, int], stop: asyncio.Event) -> int:
    """The work's result; asked to stop (Ctrl-C), give it up and end what it started."""
    working, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if working.done():
        return working.result()
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    return 130


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
