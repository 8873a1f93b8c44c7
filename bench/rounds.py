"""Runs that are compared take turns, so that a slow minute of the machine hits all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from bench.figures import Figure

Run: TypeAlias = Callable[[], Awaitable[float]]
Say: TypeAlias = Callable[[str], None]


async def take_turns(runs: Mapping[str, Run], rounds: int, say: Say, unit: str = "/s") -> dict[str, Figure]:
    """Each run once a round, in order; every other round in the opposite order."""
    samples: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(rounds):
        for name in list(runs)[:: 1 if turn % 2 == 0 else -1]:
            samples[name].append(await runs[name]())
            say(f"  round {turn + 1} of {rounds}: {name} {samples[name][-1]:,.1f} {unit}")
    return {name: Figure(name, values, unit) for name, values in samples.items()}
