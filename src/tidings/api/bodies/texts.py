"""Texts that people write."""

from __future__ import annotations

from tidings.spine.notify.people import fields

LONGEST_TEXT = 10_000


def several_lines(text: str) -> str:
    """Several lines, and nothing that cannot be seen."""
    lines = text.replace("\r\n", "\n").split("\n")
    for line in lines:
        fields.one_line(line.replace("\t", " "))
    return "\n".join(lines).strip()
