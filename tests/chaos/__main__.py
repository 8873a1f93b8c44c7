"""`python -m tests.chaos`: every fault at length, one after the other, and a table of what was counted."""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import time
import traceback

from tests.chaos import report
from tests.chaos.catalogue import SCENARIOS, Scenario
from tests.chaos.cluster import Cluster, running_cluster


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("scenarios", nargs="*", help=f"which of: {', '.join(s.key for s in SCENARIOS)}; default: all")
    parser.add_argument("--seed", type=int, default=None, help="the seed of an earlier run")
    parser.add_argument("--short", action="store_true", help="in the sizes of `make test`")
    options = parser.parse_args()
    chosen = [s for s in SCENARIOS if not options.scenarios or s.key in options.scenarios]
    if unknown := {*options.scenarios} - {s.key for s in SCENARIOS}:
        parser.error(f"no such scenario: {', '.join(sorted(unknown))}")
    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    try:
        return asyncio.run(_play_all(chosen, seed, options.short))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 130


async def _play_all(scenarios: list[Scenario], seed: int, short: bool) -> int:
    playing = asyncio.current_task()
    assert playing is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, playing.cancel)  # what was started is reaped then too
    print(f"seed {seed}", flush=True)
    rows: list[tuple[str, str, str]] = []
    async with running_cluster() as shared:
        for scenario in scenarios:
            print(f"{scenario.key} ...", flush=True)
            rows += await _play(scenario, shared, seed, short)
    width = max(len(name) for name, _, _ in rows)
    print()
    for name, verdict, counted in rows:
        print(f"{name:{width}}  {verdict:7}  {counted}")
    failed = sum(verdict == "FAILED" for _, verdict, _ in rows)
    skipped = sum(verdict == "not run" for _, verdict, _ in rows)
    print(f"\n{len(rows) - failed - skipped} passed, {failed} failed" + (f", {skipped} not run" if skipped else ""))
    return 1 if failed else 0


async def _play(scenario: Scenario, shared: Cluster, seed: int, short: bool) -> list[tuple[str, str, str]]:
    if scenario.missing:
        return [(scenario.name, "not run", scenario.missing)]
    began = time.monotonic()
    try:
        came = await scenario.play(shared, scenario.short if short else scenario.full, seed)
    except Exception as error:
        traceback.print_exc()
        print(f"\nagain: python -m tests.chaos {scenario.key} --seed {seed}", flush=True)
        return [(scenario.name, "FAILED", _first_line(error))]
    *others, (last, counted) = report.rows(scenario.name, came)
    ended = (last, "passed", f"{counted}  ({time.monotonic() - began:.0f} s)")
    return [*((name, "passed", counted) for name, counted in others), ended]


def _first_line(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return (str(error) or repr(error)).splitlines()[0]


if __name__ == "__main__":
    sys.exit(main())
