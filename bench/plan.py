"""What a bar is given: the server, how much to do, and where to say how it goes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figure, Result
from bench.rounds import Run, Say, take_turns
from bench.server import Server


@dataclass(frozen=True)
class Plan:
    server: Server
    home: Path
    quick: bool
    say: Say

    @property
    def rounds(self) -> int:
        return 3 if self.quick else 5

    def size(self, full: int) -> int:
        """A tenth with --quick, but not so few that they are over too soon to be measured."""
        return full if not self.quick else max(full // 10, min(full, 20_000))

    async def take_turns(self, runs: Mapping[str, Run], unit: str = "/s") -> dict[str, Figure]:
        return await take_turns(runs, self.rounds, self.say, unit)


@dataclass(frozen=True)
class Bar:
    """One bar of `spec/performance.md`, or a figure that an issue asks for."""

    name: str
    title: str
    run: Callable[[Plan, AsyncExitStack], Awaitable[Result]]

    async def measure(self, plan: Plan) -> Result:
        """Whatever the bar opens on the stack is closed when it is done."""
        async with AsyncExitStack() as stack:
            return await self.run(plan, stack)
