"""Kinds of intents that processes are started and told things by, as the functions in SQL write them."""

from __future__ import annotations

START = "process.start"
SIGNAL = "process.signal"
