"""What a run has started, on disk, so that the next run can end whatever outlived it."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from tidings.embedded.files import write_private
from tidings.embedded.identity import MARKER, birth, descendants, is_alive
from tidings.embedded.process import kill_group

_GRACE = timedelta(seconds=10)
_LOOK_EVERY = 0.02


@dataclass(frozen=True)
class Started:
    """A process that was started, told apart from any later one with its pid."""

    name: str
    pid: int
    born: str
    stop_signal: int


@dataclass(frozen=True)
class Record:
    """One run: the token that all of its processes inherit, and those that it started itself."""

    path: Path
    token: str = field(default_factory=lambda: secrets.token_hex(16))
    started: tuple[Started, ...] = ()

    @property
    def marker(self) -> dict[str, str]:
        return {MARKER: self.token}

    def save(self) -> Record:
        content = {"token": self.token, "started": [asdict(each) for each in self.started]}
        write_private(self.path, json.dumps(content))
        return self

    def with_process(self, name: str, pid: int, stop_signal: signal.Signals) -> Record:
        """This run with one more process, and without those that have ended."""
        living = tuple(each for each in self.started if is_alive(each.pid, each.born))
        born = birth(pid)
        new = (Started(name, pid, born, int(stop_signal)),) if born else ()
        return replace(self, started=(*living, *new)).save()

    def forget(self) -> None:
        self.path.unlink(missing_ok=True)

    def survivors(self) -> tuple[Started, ...]:
        """Those of this run that live: the recorded ones, and their descendants in whatever session."""
        known = tuple(each for each in self.started if is_alive(each.pid, each.born))
        pids = {each.pid for each in known}
        others = ((pid, birth(pid)) for pid in descendants(self.token) if pid not in pids)
        return known + tuple(Started("descendant", pid, born, signal.SIGTERM) for pid, born in others if born)


def read_record(path: Path) -> Record | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Record(path, content["token"], tuple(Started(**each) for each in content["started"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


async def end_survivors(record: Record, grace: timedelta = _GRACE) -> tuple[Started, ...]:
    """End every process of that run that still lives; gently first. Returns those it found."""
    found = record.survivors()
    for each in found:
        _signal(each, each.stop_signal)
    deadline = time.monotonic() + grace.total_seconds()
    while (left := record.survivors()) and time.monotonic() < deadline:
        await asyncio.sleep(_LOOK_EVERY)
    for each in left:
        _kill(each)
    while record.survivors():
        await asyncio.sleep(_LOOK_EVERY)
    return found


def _signal(each: Started, number: int) -> None:
    if is_alive(each.pid, each.born):
        with suppress(ProcessLookupError):
            os.kill(each.pid, number)


def _kill(each: Started) -> None:
    _signal(each, signal.SIGKILL)
    if each.name != "descendant":
        kill_group(each.pid)
