"""The pages behind the buttons of a message: one button that does it, or how it stands. No script, nothing loaded."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import HTMLResponse

from tidings.api.action_words import LANGUAGES, Words
from tidings.api.card import card, hidden, link_to, post_form
from tidings.spine.notify.matters.asked import Asked
from tidings.spine.notify.matters.model import Action, Settlement
from tidings.spine.notify.matters.words import handled, when, words_of

CHOICE = "action"
"""The field of the form that says what is to be done, so that an empty POST does nothing."""
_GONE = 410


@dataclass(frozen=True)
class ActionPages:
    """In one language, of what one person was asked."""

    language: str
    asked: Asked

    def asking(self, action: Action, status: int = 200) -> HTMLResponse:
        form = post_form(hidden(CHOICE, action), words_of(self.language).buttons[action])
        return self._about(self._words.in_whose_name.format(name=self.asked.name), form, status)

    def done(self, settlement: Settlement) -> HTMLResponse:
        return self._about(self._words.done.format(how=words_of(self.language).actions[settlement.action]))

    def handled(self, settlement: Settlement, status: int) -> HTMLResponse:
        """By whom, how, and when by the reader's clock. Not what they noted: it is for those who sign in."""
        at = when(self.language, self.asked.timezone, settlement.at)
        return self._about(f"{handled(self.language, settlement.person, settlement.action)}\n{at}", "", status)

    def refused(self, reason: str) -> HTMLResponse:
        """`reason` is in English, as those of the API are."""
        return self._about(f"{self._words.impossible}\n{reason}", "", 409)

    def expired(self, sign_in: str) -> HTMLResponse:
        """Nothing of what it was about: the link is worth nothing any more."""
        words = self._words
        return card(self.language, words.expired_title, words.expired, link_to(sign_in, words.sign_in), _GONE)

    @property
    def _words(self) -> Words:
        return LANGUAGES[self.language]

    def _about(self, says: str, form: str = "", status: int = 200) -> HTMLResponse:
        parts = (
            [self.asked.body, says] if form else [says, self.asked.body]
        )  # what is new comes first, or by the button
        return card(self.language, self.asked.title, "\n\n".join(part for part in parts if part), form, status)
