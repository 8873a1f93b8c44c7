"""What workers hold in memory, while something goes on."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from tests.chaos.processes import Life

_LOOK_EVERY = 0.5  # seconds
_SETTLED_IN = 8.0  # seconds after which a worker has loaded what it needs, and has done some of everything


@dataclass
class Watch:
    """For as long as it is open. What a worker takes before it has settled in is no growth."""

    lives: Callable[[], Sequence[Life]]
    first: dict[int, float] = field(default_factory=dict)  # when each life was seen first
    sizes: dict[int, list[float]] = field(default_factory=dict)  # in MB, once it has settled in

    @property
    def growth(self) -> float:
        """The largest of any life, in MB."""
        return max((max(sizes) - sizes[0] for sizes in self.sizes.values()), default=0.0)

    async def __aenter__(self) -> Watch:
        self.looking = asyncio.create_task(self._look())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.looking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.looking

    async def _look(self) -> None:
        while True:
            for life in self.lives():
                began = self.first.setdefault(life.number, time.monotonic())
                size = _resident(life.pid)
                if size is not None and time.monotonic() - began > _SETTLED_IN:
                    self.sizes.setdefault(life.number, []).append(size)
            await asyncio.sleep(_LOOK_EVERY)


def _resident(pid: int) -> float | None:
    """Nothing of a process that is gone."""
    try:
        found = re.search(r"^VmRSS:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="ascii"), re.MULTILINE)
    except OSError:
        return None
    return None if found is None else int(found[1]) * 1024 / 1e6
