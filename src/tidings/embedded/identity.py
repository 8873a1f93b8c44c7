"""Telling processes apart, so that a reused pid is never taken for the process that had it before."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

MARKER = "TIDINGS_STACK"
"""Environment variable that every process of a stack inherits; its value is that run's token."""

_PROC = Path("/proc")


def birth(pid: int) -> str | None:
    """When the process started, the same for as long as it lives; None when it is gone or a zombie."""
    return _birth_from_proc(pid) if sys.platform == "linux" else _birth_from_ps(pid)


def is_alive(pid: int, born: str) -> bool:
    """Whether the very process that was `born` then still runs."""
    return birth(pid) == born


def descendants(token: str) -> list[int]:
    """Every process that inherited this token, whatever session or parent it has; Linux only."""
    if sys.platform != "linux":
        return []
    wanted = f"{MARKER}={token}".encode()
    pids = (int(entry.name) for entry in _PROC.iterdir() if entry.name.isdigit())
    return [pid for pid in pids if pid != os.getpid() and wanted in _read(pid, "environ").split(b"\0") and birth(pid)]


def command_line(pid: int) -> str:
    """The command that the process was started with; empty when it is gone."""
    if sys.platform == "linux":
        return _read(pid, "cmdline").replace(b"\0", b" ").decode(errors="replace").strip()
    return _ps("args=", pid)


def _read(pid: int, name: str) -> bytes:
    try:
        return (_PROC / str(pid) / name).read_bytes()
    except OSError:
        return b""


def _ps(columns: str, pid: int) -> str:
    return subprocess.run(
        ["/bin/ps", "-ww", "-o", columns, "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.strip()


def _birth_from_proc(pid: int) -> str | None:
    fields = _read(pid, "stat").rpartition(b")")[2].decode().split()
    if not fields or fields[0] in "ZX":
        return None
    return f"{_boot()}/{fields[19]}"


@cache
def _boot() -> str:
    """Ticks since boot mean nothing after the next one."""
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return "boot"


def _birth_from_ps(pid: int) -> str | None:
    state, _, started = _ps("stat=,lstart=", pid).partition(" ")
    return None if not state or state.startswith("Z") else started.strip()
