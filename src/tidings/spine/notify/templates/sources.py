"""What a template is made of, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass

# What a template may name. `words` are the fixed words of our own templates, in the reader's language.
NAMES = frozenset({"fact", "data", "notice", "person", "tenant", "unsubscribe_url", "links", "words"})
PERSONAL = frozenset({"person", "unsubscribe_url"})


@dataclass(frozen=True, slots=True)
class Source:
    """A template as it is written: `subject` is a mail's subject or a title, `markup` is MJML, for mails only."""

    subject: str | None = None
    markup: str | None = None
    text: str | None = None

    def parts(self) -> tuple[tuple[str, str], ...]:
        """The parts that are there, by name."""
        named = (("subject", self.subject), ("markup", self.markup), ("text", self.text))
        return tuple((name, text) for name, text in named if text is not None)


@dataclass(frozen=True, slots=True)
class Rendered:
    """What one person gets over one channel. `html` is a mail's; `subject` is missing where there is no title."""

    subject: str | None
    text: str
    html: str | None = None
