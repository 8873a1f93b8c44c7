"""What must not come out of a template, whatever went in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# Embeddings, overrides and isolates, and the marks: they make a name read as another one.
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufff9-\ufffb\ufffe\uffff]")
_BREAKS = re.compile("[\\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_BLANK_LINES = re.compile("\n{3,}")
_ELLIPSIS = "…"


def body(text: str) -> str:
    """A text that may be stored and sent: no control characters but line breaks and tabs, nothing half encoded."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text).encode("utf-8", "replace").decode()


def plain(text: str) -> str:
    """A body for reading: no more than one blank line at a time, none around it."""
    lines = (line.rstrip() for line in body(text).split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def one_line(text: str) -> str:
    """A subject or title: one line, without control characters and without signs that turn the writing round."""
    return body(_BIDI.sub("", _BREAKS.sub(" ", text))).strip()


def cut(text: str, longest: int) -> str:
    """At most so many characters, the last an ellipsis where something is missing."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + _ELLIPSIS


def named(values: Mapping[str, Any]) -> dict[str, Any]:
    """Of a person or tenant: every text in one line, so that nobody's name can be made to look like something else."""
    return {name: one_line(value) if isinstance(value, str) else value for name, value in values.items()}
