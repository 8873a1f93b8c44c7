"""The plain-text part of a mail that has only markup: what a reader would see, in the same order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape

from tidings.spine.notify.templates import cleaning
from tidings.spine.notify.templates.markup import Closed, Opened, Token, Words, tokens

_UNSEEN = frozenset({"mj-head", "mj-style", "mj-raw", "style", "script", "title"})
_PARAGRAPHS = frozenset({
    "mj-text", "mj-button", "mj-section", "mj-image", "mj-table", "mj-divider", "mj-social", "mj-navbar", "mj-hero",
    "mj-accordion-element", "p", "div", "ul", "ol", "table", "blockquote",
})  # fmt: skip
_LINES = frozenset(["br", "tr", "li", "mj-social-element", "mj-navbar-link", "mj-accordion-title", "mj-accordion-text"])
_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
_LINKS = frozenset({"a", "mj-button", "mj-social-element", "mj-navbar-link"})
_SPACES = re.compile(r"[ \t\r\n]+")
_RULE = "-" * 20


@dataclass(slots=True)
class _Page:
    pieces: list[str] = field(default_factory=list)
    unseen: int = 0
    links: list[tuple[str | None, int]] = field(default_factory=list)  # the address, and where its text begins

    def opened(self, tag: Opened) -> None:
        if tag.name in _UNSEEN:
            self.unseen += not tag.alone
        if self.unseen:
            return
        self._space(tag.name)
        self.pieces += _beginning(tag)
        if tag.name in _LINKS and not tag.alone:
            self.links.append((tag.attribute("href"), len(self.pieces)))

    def closed(self, tag: Closed) -> None:
        if tag.name in _UNSEEN:
            self.unseen -= 1
            return
        if self.unseen:
            return
        if tag.name in _LINKS and self.links:
            self._address(*self.links.pop())
        self._space(tag.name)

    def said(self, text: str) -> None:
        if not self.unseen:
            self.pieces.append(unescape(_SPACES.sub(" ", text)))

    def _space(self, name: str) -> None:
        if name in _PARAGRAPHS or name in _HEADINGS:
            self.pieces.append("\n\n")
        elif name in _LINES:
            self.pieces.append("\n")
        elif name in ("td", "th"):
            self.pieces.append(" ")

    def _address(self, href: str | None, since: int) -> None:
        address = unescape(href or "").strip()
        if address and address != "".join(self.pieces[since:]).strip():
            self.pieces.append(f" ({address})")


def _beginning(tag: Opened) -> list[str]:
    match tag.name:
        case "li":
            return ["- "]
        case "img" | "mj-image":
            return [unescape(tag.attribute("alt") or "")]
        case "hr" | "mj-divider":
            return [_RULE, "\n\n"]
    return []


def plain_text(markup: str) -> str:
    """Readable text of rendered MJML: paragraphs, lists, links as `text (address)`."""
    page = _Page()
    for token in tokens(markup):
        _add(page, token)
    lines = "".join(page.pieces).split("\n")
    return cleaning.plain("\n".join(re.sub(r" {2,}", " ", line).strip() for line in lines))


def _add(page: _Page, token: Token) -> None:
    match token:
        case Opened():
            page.opened(token)
        case Closed():
            page.closed(token)
        case Words(raw=text):
            page.said(text)
