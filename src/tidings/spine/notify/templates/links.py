"""Plain text as HTML: paragraphs, and addresses that can be clicked. Everything is escaped first."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup, escape

_ADDRESS = re.compile(r"https?://[^\s<>\"'`\x00-\x1f]+", re.IGNORECASE)
_TRAILING = ".,;:!?"
_SCHEMES = frozenset({"http", "https"})
_STYLE = "margin:0 0 16px 0"
_LAST = "margin:0"


def is_link(value: Any) -> bool:
    """Whether a value is a web address that a reader may be sent to: `javascript:` and the like are not."""
    if not isinstance(value, str) or not value.isprintable() or " " in value:
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return parts.scheme.lower() in _SCHEMES and bool(parts.hostname)


def paragraphs(value: Any) -> Markup:
    """A text's paragraphs as `<p>`, its lines with `<br>`, its web addresses as links."""
    text = str(value if value is not None else "").replace("\r\n", "\n").replace("\r", "\n")
    blocks = [block.strip("\n") for block in re.split(r"\n[ \t]*\n", text) if block.strip()]
    styles = [_STYLE] * (len(blocks) - 1) + [_LAST]
    return Markup("").join(
        Markup('<p style="{}">{}</p>').format(style, _lines(block))
        for style, block in zip(styles, blocks, strict=False)
    )


def _lines(block: str) -> Markup:
    return Markup("<br/>").join(_linked(line) for line in block.split("\n"))


def _linked(line: str) -> Markup:
    pieces: list[str] = []
    end = 0
    for found in _ADDRESS.finditer(line):
        address = _without_trailing(found.group())
        pieces += [escape(line[end : found.start()]), _link(address)]
        end = found.start() + len(address)
    return Markup("").join([*pieces, escape(line[end:])])


def _without_trailing(address: str) -> str:
    address = address.rstrip(_TRAILING)
    for opening, closing in ("()", "[]"):
        if address.endswith(closing) and opening not in address:
            address = address[:-1].rstrip(_TRAILING)
    return address


def _link(address: str) -> Markup:
    return Markup('<a href="{0}">{0}</a>').format(address) if is_link(address) else escape(address)
