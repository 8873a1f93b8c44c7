"""The bars, by name."""

from __future__ import annotations

from bench.bars import api, commits, crowded, emitting, importing, latency, outbox, pinned, stack
from bench.plan import Bar

BARS: dict[str, Bar] = {
    bar.name: bar
    for bar in (
        outbox.BAR,
        emitting.BAR,
        crowded.BAR,
        latency.BAR,
        commits.BAR,
        pinned.BAR,
        importing.BAR,
        stack.BAR,
        api.BAR,
    )
}
