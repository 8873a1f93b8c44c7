"""Stopping a stack from another terminal."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from tidings.embedded.identity import is_alive
from tidings.embedded.info import find_stack
from tidings.kit.errors import Unavailable

_PATIENCE = timedelta(minutes=1)  # longer than any of its parts may take
_LOOK = timedelta(milliseconds=100)


def stop_stack(data_dir: Path) -> bool:
    """Returns when nothing of it runs any more; whether there was one. `Unavailable` where it does not stop."""
    stack = find_stack(data_dir)
    if stack is None:
        return False
    with suppress(ProcessLookupError):
        os.kill(stack.pid, signal.SIGTERM)
    until = time.monotonic() + _PATIENCE.total_seconds()
    while is_alive(stack.pid, stack.started):
        if time.monotonic() > until:
            raise Unavailable(f"the stack in {data_dir} does not stop; its pid is {stack.pid}")
        time.sleep(_LOOK.total_seconds())
    return True
