"""What a spreadsheet would run as a formula, and how it is kept from that."""

from __future__ import annotations

_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def neutralised(text: str) -> str:
    """It is a text to a spreadsheet with this before it."""
    return f"'{text}" if text.startswith(_BEGINNINGS) else text
