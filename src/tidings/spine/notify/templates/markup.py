"""MJML as tags and text, read strictly: the same tree that `mrml` will see, or an error with a line.

`mrml` recurses without a limit, and too deep a nesting ends the whole process: so it is given only what we could
follow ourselves. It reads tags in some comments, so it is given no comments at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tidings.spine.notify.templates.errors import TemplateError

VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
# Possessive, and starting only where a name can: each character is read once, however the text is meant.
_TAG = re.compile(r"""<(/?)([A-Za-z][A-Za-z0-9:._-]*)((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>""")
_DOCTYPE = re.compile(r"<!doctype[^<>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![^\s"'])([^\s=/"']++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")


class Opened(NamedTuple):
    """`<name …>`; `alone` where nothing can be in it."""

    name: str
    inside: str
    alone: bool
    at: int
    raw: str

    def attribute(self, wanted: str) -> str | None:
        values = ((name, double or single) for name, double, single in _ATTRIBUTE.findall(self.inside))
        return next((value for name, value in values if name == wanted), None)


class Closed(NamedTuple):
    """`</name>`."""

    name: str
    at: int
    raw: str


class Words(NamedTuple):
    """Text between tags, as it is written: entities are not resolved."""

    raw: str


Token = Opened | Closed | Words


def tokens(markup: str) -> Iterator[Token]:
    """Tags and text in order. Of comments only the line breaks are left, so that lines keep their numbers."""
    position = 0
    while position < len(markup):
        start = markup.find("<", position)
        if start != position:
            yield Words(markup[position : start if start >= 0 else None])
            if start < 0:
                return
        if markup.startswith("<!", start):
            position = _after_declaration(markup, start)
            yield Words("\n" * markup.count("\n", start, position))
            continue
        found = _TAG.match(markup, start)
        if found is None:
            raise TemplateError("a < begins no tag here; write &lt; for the sign itself", line=line_at(markup, start))
        yield _tag(found)
        position = found.end()


def _tag(found: re.Match[str]) -> Token:
    closing, name, inside = found.groups()
    if closing:
        return Closed(name, found.start(), found.group())
    return Opened(name, inside, inside.endswith("/") or name in VOID, found.start(), found.group())


def _after_declaration(markup: str, start: int) -> int:
    if markup.startswith("<!--[", start):
        raise TemplateError("a conditional comment cannot be used in a template", line=line_at(markup, start))
    if markup.startswith("<!--", start):
        end = markup.find("-->", start + 4)
        if end < 0:
            raise TemplateError("a comment is not closed", line=line_at(markup, start))
        return end + 3
    found = _DOCTYPE.match(markup, start)
    if found is None:
        raise TemplateError("a < begins no tag here; write &lt; for the sign itself", line=line_at(markup, start))
    return found.end()


def line_at(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
