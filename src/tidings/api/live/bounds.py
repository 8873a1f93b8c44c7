"""How much one socket, one person and one process may take, and how long anything may last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

LARGEST_MESSAGE = 4096
"""Bytes of one message from a client."""
PING_EVERY = timedelta(seconds=25)
"""How often a silent connection is asked whether it is there; one that does not answer for as long is closed."""


@dataclass(frozen=True)
class Bounds:
    per_person: int = 20
    per_tenant: int = 8_000  # what is left is for the others
    per_process: int = 10_000
    messages_a_minute: int = 120  # of one socket; a client that asks whether we are there does so twice
    queue_bytes: int = 262_144
    resume_most: int = 500
    hello_within: timedelta = timedelta(seconds=10)
    send_within: timedelta = timedelta(seconds=20)
    recheck_every: timedelta = timedelta(seconds=3)
