"""The words of the page behind an unsubscribe link, in the languages that there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Words:
    """`{category}` and `{tenant}` stand for their names."""

    title: str
    asks: str
    category: str
    everything: str
    stop: str
    stopped: str
    stopped_all: str
    again: str
    required: str
    others: str
    others_stopped: str
    wrong_title: str
    wrong: str


_ENGLISH = Words(
    title="E-mails from {tenant}",
    asks="Which e-mails do you want to stop?",
    category="Only “{category}”",
    everything="All e-mails from {tenant}",
    stop="Unsubscribe",
    stopped="You will get no more e-mails about “{category}” from {tenant}.",
    stopped_all="You will get no more e-mails from {tenant}, but for those that are required.",
    again="Subscribe again",
    required="E-mails about “{category}” are required: {tenant} has to send them, and they cannot be turned off.",
    others="Stop all other e-mails from {tenant}",
    others_stopped="All other e-mails from {tenant} are stopped.",
    wrong_title="This link does not work",
    wrong="It may have been cut off. Open it again from the e-mail, or copy the whole of it.",
)
_ITALIAN = Words(
    title="E-mail da {tenant}",
    asks="Quali e-mail non vuoi più ricevere?",
    category="Solo «{category}»",
    everything="Tutte le e-mail da {tenant}",
    stop="Annulla l’iscrizione",
    stopped="Non riceverai più e-mail su «{category}» da {tenant}.",
    stopped_all="Non riceverai più e-mail da {tenant}, tranne quelle obbligatorie.",
    again="Iscriviti di nuovo",
    required="Le e-mail su «{category}» sono obbligatorie: {tenant} deve inviarle e non si possono disattivare.",
    others="Non ricevere altre e-mail da {tenant}",
    others_stopped="Tutte le altre e-mail da {tenant} sono disattivate.",
    wrong_title="Questo link non funziona",
    wrong="Forse è incompleto. Aprilo di nuovo dall’e-mail o copialo per intero.",
)
_GERMAN = Words(
    title="E-Mails von {tenant}",
    asks="Welche E-Mails möchten Sie nicht mehr erhalten?",
    category="Nur „{category}“",
    everything="Alle E-Mails von {tenant}",
    stop="Abbestellen",
    stopped="Sie erhalten von {tenant} keine E-Mails zu „{category}“ mehr.",
    stopped_all="Sie erhalten von {tenant} keine E-Mails mehr, außer den vorgeschriebenen.",
    again="Wieder abonnieren",
    required="E-Mails zu „{category}“ sind vorgeschrieben: {tenant} muss sie senden, sie sind nicht abbestellbar.",
    others="Alle anderen E-Mails von {tenant} abbestellen",
    others_stopped="Alle anderen E-Mails von {tenant} sind abbestellt.",
    wrong_title="Dieser Link funktioniert nicht",
    wrong="Vielleicht ist er unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail oder kopieren Sie ihn ganz.",
)
LANGUAGES: Mapping[str, Words] = MappingProxyType({"en": _ENGLISH, "it": _ITALIAN, "de": _GERMAN})


def language_of(locale: str | None, accepted: str | None) -> str:
    """The person's own, if it is there; else the first that their browser asks for; else English."""
    wanted = [locale or "", *_in_order(accepted or "")]
    return next((short for text in wanted if (short := text[:2].lower()) in LANGUAGES), "en")


def _in_order(accepted: str) -> list[str]:
    """The languages of an Accept-Language header, the most wanted first."""
    weighed = [part.strip().partition(";") for part in accepted[:500].split(",")]
    order = sorted(weighed, key=lambda part: -_weight(part[2]))
    return [name.strip() for name, _, _ in order]


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    digits = value.strip()
    return float(digits) if name.strip() == "q" and digits.replace(".", "", 1).isdecimal() and digits.isascii() else 1.0
