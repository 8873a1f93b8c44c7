"""What is said of a matter itself, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tidings.spine.notify.matters.model import Action
from tidings.spine.notify.templates.places import Place

_SHOWN = "EEEE d MMMM y, HH:mm"


@dataclass(frozen=True)
class Words:
    """The sentences of one language. `{name}` is whoever acted, `{how}` what they did, `{title}` the notice's title."""

    handled: str
    waiting: str
    somebody: str
    actions: dict[Action, str]
    buttons: dict[Action, str]


_ENGLISH = Words(
    "Handled by {name}: {how}.",
    "Nobody has answered yet: {title}",
    "somebody",
    {
        Action.CONFIRMED: "confirmed",
        Action.REJECTED: "rejected",
        Action.POSTPONED: "another time was proposed",
        Action.DISMISSED: "dismissed",
        Action.CUSTOM: "dealt with otherwise",
        Action.WITHDRAWN: "withdrawn",
    },
    {Action.CONFIRMED: "Confirm", Action.REJECTED: "Reject", Action.DISMISSED: "Dismiss"},
)
_GERMAN = Words(
    "Erledigt von {name}: {how}.",
    "Noch hat niemand geantwortet: {title}",
    "jemandem",
    {
        Action.CONFIRMED: "bestätigt",
        Action.REJECTED: "abgelehnt",
        Action.POSTPONED: "eine andere Zeit wurde vorgeschlagen",
        Action.DISMISSED: "verworfen",
        Action.CUSTOM: "anders geregelt",
        Action.WITHDRAWN: "zurückgezogen",
    },
    {Action.CONFIRMED: "Bestätigen", Action.REJECTED: "Ablehnen", Action.DISMISSED: "Verwerfen"},
)
_ITALIAN = Words(
    "Gestito da {name}: {how}.",
    "Nessuno ha ancora risposto: {title}",
    "qualcuno",
    {
        Action.CONFIRMED: "accettato",
        Action.REJECTED: "rifiutato",
        Action.POSTPONED: "è stato proposto un altro orario",
        Action.DISMISSED: "archiviato",
        Action.CUSTOM: "risolto diversamente",
        Action.WITHDRAWN: "ritirato",
    },
    {Action.CONFIRMED: "Accetta", Action.REJECTED: "Rifiuta", Action.DISMISSED: "Archivia"},
)
_LANGUAGES = {"en": _ENGLISH, "de": _GERMAN, "it": _ITALIAN}


def spoken(*locales: str | None) -> str | None:
    """The first of these languages that there are words in; None where there is none."""
    return next((short for locale in locales if (short := (locale or "")[:2].lower()) in _LANGUAGES), None)


def words_of(locale: str | None) -> Words:
    return _LANGUAGES.get((locale or "en")[:2].lower(), _ENGLISH)


def handled(locale: str | None, name: str | None, action: Action) -> str:
    words = words_of(locale)
    return words.handled.format(name=name or words.somebody, how=words.actions[action])


def when(locale: str | None, zone: str | None, at: datetime) -> str:
    """In words, by the clock of this timezone, which is named."""
    zone = zone or "UTC"
    return f"{Place(locale or 'en', zone).datetime(at, _SHOWN)} ({zone})"
