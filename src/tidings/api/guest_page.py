"""The pages for people without a login who hear of an event: joining, confirming, leaving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from starlette.responses import HTMLResponse

from tidings.api.card import card, hidden, post_form
from tidings.api.guest_words import LANGUAGES, Words
from tidings.modules.events.words import Reader


@dataclass(frozen=True)
class GuestPages:
    """In one language, of one event."""

    language: str
    event: Mapping[str, Any]
    timezone: str | None = None

    @property
    def words(self) -> Words:
        return LANGUAGES[self.language]

    def joining(self, fault: str = "", email: str = "") -> HTMLResponse:
        inside = _field("email", self.words.email, email, "email", "email")
        form = post_form(inside, self.words.join)
        return self._about(fault or self.words.joining, form, 422 if fault else 200)

    def asked(self) -> HTMLResponse:
        return card(self.language, self.words.asked_title, self.words.asked)

    def confirming(self, *, named: bool, fault: str = "") -> HTMLResponse:
        """Asks what they are called, unless that is known."""
        name = "" if named else _field("name", self.words.name, "", "text", "name")
        form = post_form(hidden("choice", "confirm") + name, self.words.confirm)
        return self._about(fault or self.words.confirming, form, 422 if fault else 200)

    def joined(self) -> HTMLResponse:
        return self._about(self.words.joined, post_form(hidden("choice", "leave"), self.words.leave, quiet=True))

    def left(self) -> HTMLResponse:
        return self._about(self.words.left, post_form(hidden("choice", "join"), self.words.again, quiet=True))

    def closed(self, status: int) -> HTMLResponse:
        says = self.words.cancelled if self.event["status"] == "cancelled" else self.words.over
        return self._about(says, "", status)

    def slow(self) -> HTMLResponse:
        return card(self.language, self.words.slow_title, self.words.slow, status=429)

    def _about(self, says: str, form: str, status: int = 200) -> HTMLResponse:
        reader = Reader(self.language, self.timezone or self.event["timezone"])
        parts = [reader.details(self.event), self.event["description"], says]
        return card(self.language, self.event["name"], "\n\n".join(part for part in parts if part), form, status)


def wrong_page(language: str) -> HTMLResponse:
    words = LANGUAGES[language]
    return card(language, words.wrong_title, words.wrong, status=404)


def _field(name: str, label: str, value: str, kind: str, complete: str) -> str:
    return (
        f'<label class="field"><span>{escape(label)}</span><input type="{kind}" name="{name}" value="{escape(value)}" '
        f'autocomplete="{complete}" maxlength="254" required></label>\n'
    )
