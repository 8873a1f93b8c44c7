"""The bars, by name."""

from __future__ import annotations

from bench.bars import (
    api,
    broadcast,
    commits,
    crowded,
    due,
    emitting,
    frames,
    importing,
    latency,
    mail,
    outbox,
    pinned,
    reminders,
    screens,
    stack,
    webhooks,
    whole,
)
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
        whole.BAR,
        broadcast.BAR,
        webhooks.BAR,
        mail.BAR,
        reminders.BAR,
        due.BAR,
        importing.BAR,
        stack.BAR,
        api.BAR,
        frames.BAR,
        screens.BAR,
    )
}
