"""A wrong clock for a process: libfaketime shifts the time of day and leaves the monotonic clock alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LIBRARIES = tuple(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
MISSING = "libfaketime is missing; install it with: apt-get install libfaketime"


@dataclass(frozen=True)
class Clock:
    """The clock of the processes that run with this environment; it can be set while they run."""

    file: Path

    def set(self, seconds: int) -> None:
        self.file.write_text(f"{seconds:+d}s\n", encoding="ascii")

    @property
    def environment(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
