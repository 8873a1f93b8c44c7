"""Ports of loopback: free ones, remembered so that a restart keeps them."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterable
from pathlib import Path

from tidings.embedded.files import write_private

LOOPBACK = "127.0.0.1"
_RANGE = range(20_000, 32_768)
"""Below what systems hand out to outgoing connections, so that a restarted server finds its port free."""


def is_free(port: int, host: str = LOOPBACK) -> bool:
    """Whether a server could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def free_port(taken: Iterable[int] = (), host: str = LOOPBACK) -> int:
    """A port that nobody listens on, and none of `taken`."""
    for port in random.SystemRandom().sample(_RANGE, len(_RANGE)):
        if port not in taken and is_free(port, host):
            return port
    raise OSError(f"no free port on {host}")


def remembered_ports(memory: Path, names: Iterable[str]) -> dict[str, int]:
    """A free port for each name: the one of the last time where that is still free."""
    known, ports = _recall(memory), dict[str, int]()
    for name in names:
        port = known.get(name, 0)
        reusable = port > 0 and port not in ports.values() and is_free(port)
        ports[name] = port if reusable else free_port(taken=ports.values())
    write_private(memory, json.dumps(known | ports))
    return ports


def _recall(memory: Path) -> dict[str, int]:
    try:
        known = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {name: port for name, port in known.items() if isinstance(port, int)} if isinstance(known, dict) else {}
