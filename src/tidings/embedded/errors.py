"""What can go wrong with the embedded stack; each says so in one line."""

from __future__ import annotations

from tidings.kit.errors import TidingsError


class AlreadyRunning(TidingsError):
    """Another Tidings already runs on this data directory."""

    slug = "already-running"


class ChildFailed(TidingsError):
    """A process of the stack could not be started."""

    slug = "child-failed"
