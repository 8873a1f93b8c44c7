"""The page behind an unsubscribe link: no script, nothing loaded, one form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from starlette.responses import HTMLResponse

from tidings.api.card import card, hidden, post_form
from tidings.api.unsubscribe_words import LANGUAGES, Words
from tidings.spine.notify.unsubscribing import Choice, Standing

_BACK = (Choice.AGAIN, Choice.ALL_AGAIN)


@dataclass(frozen=True)
class Shown:
    """What a page says, and what can be chosen on it: of several, the first is ready to be sent."""

    says: str
    choices: Sequence[tuple[Choice, str]] = ()
    button: str = ""


def standing_page(standing: Standing, language: str, status: int = 200) -> HTMLResponse:
    words = LANGUAGES[language]
    names = {"category": standing.category, "tenant": standing.tenant}
    return _page(language, words.title.format(**names), _shown(standing, words), names, status)


def wrong_page(language: str) -> HTMLResponse:
    words = LANGUAGES[language]
    return _page(language, words.wrong_title, Shown(words.wrong), {}, 404)


def _shown(standing: Standing, words: Words) -> Shown:
    if standing.required:
        return _of_required(standing, words)
    if standing.wanted:
        everything = [(Choice.STOP_ALL, words.everything)] if standing.others_wanted else []
        return Shown(words.asks, [(Choice.STOP, words.category), *everything], words.stop)
    if standing.others_wanted:
        return Shown(words.stopped, [(Choice.AGAIN, "")], words.again)
    return Shown(words.stopped_all, [(Choice.AGAIN, words.category), (Choice.ALL_AGAIN, words.everything)], words.again)


def _of_required(standing: Standing, words: Words) -> Shown:
    if standing.others_wanted:
        return Shown(words.required, [(Choice.STOP_ALL, "")], words.others)
    return Shown(f"{words.required} {words.others_stopped}", [(Choice.ALL_AGAIN, "")], words.again)


def _page(language: str, title: str, shown: Shown, names: dict[str, str], status: int) -> HTMLResponse:
    form = _form(shown, names) if shown.choices else ""
    return card(language, title, shown.says.format(**names), form, status)


def _form(shown: Shown, names: dict[str, str]) -> str:
    if len(shown.choices) == 1:
        choice, label = shown.choices[0]
        inside = f"<p>{escape(label.format(**names))}</p>\n" if label else ""
        inside += hidden("choice", choice)
    else:
        inside = "\n".join(
            f'<label><input type="radio" name="choice" value="{choice}"{"" if place else " checked"}>'
            f"<span>{escape(label.format(**names))}</span></label>"
            for place, (choice, label) in enumerate(shown.choices)
        )
    came_back = shown.choices[0][0] in _BACK  # not to be pressed by who has just unsubscribed
    return post_form(inside, shown.button.format(**names), quiet=came_back)
