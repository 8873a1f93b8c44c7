"""Paths that are secrets in themselves: whoever reads one in a log or a trace could use it."""

from __future__ import annotations

from tidings.spine.notify.unsubscribing import PATH

_UNSUBSCRIBE = f"{PATH}/"


def without_secrets(path: str) -> str:
    """The path as it may be kept. Also where no route matched: a link that was cut or lengthened is a link still."""
    start = path.lower().find(_UNSUBSCRIBE)
    return path if start < 0 else f"{path[:start]}{_UNSUBSCRIBE}{{token}}"
