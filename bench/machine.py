"""What the figures were measured on and with: enough to judge them, nothing that names a host."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import version
from pathlib import Path

from bench.peering import locked_versions
from bench.redis import redis_version
from bench.server import Server

_DURABILITY = ("fsync", "synchronous_commit", "full_page_writes", "wal_level")
_MEMORY = ("shared_buffers", "max_wal_size", "max_connections")
_OURS = ("tidings", "asyncpg", "uvloop", "fastapi", "uvicorn")
_PEERS = ("pgqueuer", "celery", "dramatiq", "redis")


async def conditions(server: Server) -> list[str]:
    """One line for each thing that the figures depend on."""
    settings = await server.settings("server_version", *_DURABILITY, *_MEMORY)
    durability = ", ".join(f"{name} {settings[name]}" for name in _DURABILITY)
    memory = ", ".join(f"{name} {settings[name]}" for name in _MEMORY)
    locked = locked_versions()
    peers = ", ".join(f"{name} {locked[name]}" for name in _PEERS)
    return [
        f"Machine: {os.cpu_count()} cores ({_cpu()}), {_memory()}, {platform.system()} {platform.machine()}",
        f"Python {platform.python_version()}; " + ", ".join(f"{name} {version(name)}" for name in _OURS),
        f"PostgreSQL {settings['server_version']} (embedded), default durability: {durability}; {memory}",
        f"Peers: {peers}; Redis {await redis_version() or 'none'}",
    ]


def _cpu() -> str:
    found = re.search(r"^model name\s*:\s*(.+)$", _read("/proc/cpuinfo"), re.MULTILINE)
    return found[1] if found else platform.processor() or "unknown"


def _memory() -> str:
    found = re.search(r"^MemTotal:\s*(\d+) kB", _read("/proc/meminfo"), re.MULTILINE)
    return f"{int(found[1]) / 2**20:.0f} GiB of memory" if found else "memory unknown"


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""
