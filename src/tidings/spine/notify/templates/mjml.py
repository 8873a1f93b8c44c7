"""MJML to HTML, in bounds: `mrml` has none of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass

import mrml

from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.markup import Closed, Opened, line_at, tokens

_DEEPEST = 40
_MOST_TAGS = 5_000
_DEFAULTS = "mj-attributes"
_MOST_REPEATED = 4 * 1024 * 1024  # characters: what mj-attributes says is written into every element
_LONGEST = 1024 * 1024
_REFUSED = {
    "mj-include": "mj-include is not available: a template stands alone",
    "mj-carousel": "mj-carousel is not available: most mail programs cannot show it",
}
_POSITION = re.compile(r" in root template(?: at position (\d+):(\d+))?$")


@dataclass(slots=True)
class _Reading:
    """Where we are in the markup, and what was seen on the way."""

    markup: str
    open: list[Opened]
    tags: int = 0
    defaults: int = 0  # how many elements we are in whose attributes go into every other
    repeated: int = 0

    def opened(self, tag: Opened) -> None:
        self.tags += 1
        if tag.name in _REFUSED:
            self._fail(_REFUSED[tag.name], tag.at)
        if self.defaults:
            self.repeated += len(tag.inside)
        if not tag.alone:
            self.open.append(tag)
            self.defaults += tag.name == _DEFAULTS
        if len(self.open) > _DEEPEST or self.tags > _MOST_TAGS or self.repeated * self.tags > _MOST_REPEATED:
            self._fail("the markup is too large or nested too deeply", tag.at)

    def closed(self, tag: Closed) -> None:
        if not self.open:
            self._fail(f"</{tag.name}> closes nothing", tag.at)
        last = self.open.pop()
        self.defaults -= last.name == _DEFAULTS
        if last.name != tag.name:
            self._fail(f"</{tag.name}> where <{last.name}> of line {line_at(self.markup, last.at)} is open", tag.at)

    def ended(self) -> None:
        if self.open:
            self._fail(f"<{self.open[-1].name}> is not closed", self.open[-1].at)

    def _fail(self, message: str, at: int) -> None:
        raise TemplateError(message, line=line_at(self.markup, at))


def read(markup: str) -> str:
    """The markup without comments, once its structure is known to be right; or what is wrong, with its line."""
    reading = _Reading(markup, [])
    first: str | None = None
    kept: list[str] = []
    for token in tokens(markup):
        kept.append(token.raw)
        match token:
            case Opened():
                first = first or token.name
                reading.opened(token)
            case Closed():
                reading.closed(token)
    reading.ended()
    if first != "mjml":
        raise TemplateError("the markup must be MJML: it begins with <mjml>")
    return "".join(kept)


def to_html(markup: str) -> str:
    """The HTML of a mail."""
    markup = read(markup)
    try:
        html = mrml.to_html(markup, mrml.ParserOptions(include_loader=mrml.noop_loader()), _without_fonts()).content
    except BaseException as error:
        raise _translated(error, markup) from None
    if len(html) > _LONGEST:
        raise TemplateError(f"makes a mail of more than {_LONGEST:,} characters")
    return html


def _without_fonts() -> mrml.RenderOptions:
    """Left to itself it has every mail load a font from a third party, who learns who opens it when."""
    return mrml.RenderOptions(fonts={})


def _translated(error: BaseException, markup: str) -> BaseException:
    """A panic of the parser is no `Exception`, but no reason to end the process either; Ctrl-C is."""
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        return error
    message = str(error)
    found = _POSITION.search(message)
    line = line_at(markup, _characters(markup, int(found[1]))) if found and found[1] else None
    return TemplateError(f"the markup cannot be used: {_POSITION.sub('', message)[:200]}", line=line)


def _characters(markup: str, octets: int) -> int:
    return len(markup.encode()[:octets].decode("utf-8", "ignore"))
