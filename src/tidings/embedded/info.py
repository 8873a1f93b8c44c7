"""Where a running stack is, for the other commands and for programs that use it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tidings.embedded.files import write_private
from tidings.embedded.identity import is_alive


@dataclass(frozen=True)
class StackInfo:
    """A stack that is ready, and the process that supervises it."""

    database_url: str = field(repr=False)
    temporal_address: str
    temporal_namespace: str
    temporal_ui: str | None
    api_url: str
    master_key_file: str | None
    data_dir: str
    pid: int
    started: str
    """Tells this process from any later one with its pid."""
    public_url: str | None = None
    default_provider: str = "sandbox"
    network_allow: Sequence[str] = ()
    dns_provider: str = "logging"


def stack_file(data_dir: Path) -> Path:
    return data_dir / "stack.json"


def publish(info: StackInfo) -> None:
    """Let others find it. Holds the database's password: readable by its owner alone."""
    write_private(stack_file(Path(info.data_dir)), json.dumps(asdict(info), indent=2) + "\n")


def find_stack(data_dir: Path) -> StackInfo | None:
    """The stack that runs on this directory now, or None; one that died without a word counts as none."""
    try:
        info = StackInfo(**json.loads(stack_file(data_dir.expanduser()).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return info if is_alive(info.pid, info.started) else None
