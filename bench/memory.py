"""What a tree of processes holds in memory, with shared pages counted once."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

_PROC = Path("/proc")
_MEGABYTE = 1000 * 1000


def proportional(root: int) -> dict[str, float]:
    """PSS in MB of this process and all below it, summed by the names of the programs."""
    sizes: dict[str, float] = defaultdict(float)
    for pid in _tree(root):
        found = re.search(r"^Pss:\s*(\d+) kB", _read(pid, "smaps_rollup"), re.MULTILINE)
        if found:
            sizes[_name(pid)] += int(found[1]) * 1024 / _MEGABYTE
    return dict(sizes)


def _tree(root: int) -> list[int]:
    children: dict[int, list[int]] = defaultdict(list)
    for entry in _PROC.iterdir():
        if entry.name.isdigit() and (stat := _read(int(entry.name), "stat")):
            children[int(stat.rpartition(")")[2].split()[1])].append(int(entry.name))
    tree = [root]
    for pid in tree:
        tree += children[pid]
    return tree


def _name(pid: int) -> str:
    """The program; for our own, its command: up, api or worker."""
    words = [Path(word).name for word in _read(pid, "cmdline").split("\0") if word]
    return f"tidings {words[3]}" if words[1:3] == ["-m", "tidings"] else words[0].partition(":")[0] if words else "?"


def _read(pid: int, name: str) -> str:
    try:
        return (_PROC / str(pid) / name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
