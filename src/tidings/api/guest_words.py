"""The words of the pages for people without a login who hear of an event, in the languages that there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Words:
    """`{name}` is the event's."""

    joining: str
    name: str
    email: str
    join: str
    asked_title: str
    asked: str
    wrong_email: str
    wrong_name: str
    confirming: str
    confirm: str
    joined: str
    leave: str
    left: str
    again: str
    cancelled: str
    over: str
    slow_title: str
    slow: str
    wrong_title: str
    wrong: str


_ENGLISH = Words(
    joining="Leave your e-mail address to be kept posted and reminded.",
    name="Your name",
    email="Your e-mail address",
    join="Keep me posted",
    asked_title="Look into your mailbox",
    asked="We have sent you a link. Open it and press its button: then you are in. No mail? You may be in already.",
    wrong_email="That is not an e-mail address.",
    wrong_name="Please say your name.",
    confirming="Do you want to hear about this event by e-mail?",
    confirm="Yes, keep me posted",
    joined="You are in: we keep you posted and remind you.",
    leave="Leave this event",
    left="You have left: you will hear no more of it.",
    again="Join again",
    cancelled="This event was cancelled.",
    over="This event is over.",
    slow_title="A little slower, please",
    slow="There were many requests for this address. Try again in an hour.",
    wrong_title="This link does not work",
    wrong="It may have been cut off. Open it again where you found it, or copy the whole of it.",
)
_ITALIAN = Words(
    joining="Lascia il tuo indirizzo e-mail per ricevere notizie e promemoria.",
    name="Il tuo nome",
    email="Il tuo indirizzo e-mail",
    join="Tienimi al corrente",
    asked_title="Controlla la tua posta",
    asked="Ti abbiamo inviato un link. Aprilo e premi il pulsante: sarai iscritto. Nessuna e-mail? Forse lo sei già.",
    wrong_email="Questo non è un indirizzo e-mail.",
    wrong_name="Scrivi il tuo nome, per favore.",
    confirming="Vuoi ricevere notizie di questo evento per e-mail?",
    confirm="Sì, tienimi al corrente",
    joined="Sei iscritto: riceverai notizie e promemoria.",
    leave="Lascia l’evento",
    left="Non partecipi più: non ne saprai più nulla.",
    again="Partecipa di nuovo",
    cancelled="Questo evento è stato annullato.",
    over="Questo evento è finito.",
    slow_title="Più piano, per favore",
    slow="Ci sono state molte richieste per questo indirizzo. Riprova tra un’ora.",
    wrong_title="Questo link non funziona",
    wrong="Forse è incompleto. Aprilo di nuovo da dove l’hai trovato o copialo per intero.",
)
_GERMAN = Words(
    joining="Hinterlassen Sie Ihre E-Mail-Adresse, um Neuigkeiten und Erinnerungen zu erhalten.",
    name="Ihr Name",
    email="Ihre E-Mail-Adresse",
    join="Halten Sie mich auf dem Laufenden",
    asked_title="Sehen Sie in Ihr Postfach",
    asked="Wir haben Ihnen einen Link geschickt. Öffnen Sie ihn und drücken Sie den Knopf. Keine Mail? Vielleicht sind "
    "Sie schon dabei.",
    wrong_email="Das ist keine E-Mail-Adresse.",
    wrong_name="Bitte nennen Sie Ihren Namen.",
    confirming="Möchten Sie per E-Mail von dieser Veranstaltung hören?",
    confirm="Ja, gern",
    joined="Sie sind dabei: Wir halten Sie auf dem Laufenden und erinnern Sie.",
    leave="Nicht mehr teilnehmen",
    left="Sie nehmen nicht mehr teil und hören nichts mehr davon.",
    again="Wieder teilnehmen",
    cancelled="Diese Veranstaltung ist abgesagt.",
    over="Diese Veranstaltung ist vorbei.",
    slow_title="Bitte etwas langsamer",
    slow="Für diese Adresse gab es viele Anfragen. Versuchen Sie es in einer Stunde noch einmal.",
    wrong_title="Dieser Link funktioniert nicht",
    wrong="Vielleicht ist er unvollständig. Öffnen Sie ihn noch einmal, wo Sie ihn gefunden haben, oder kopieren Sie "
    "ihn ganz.",
)
LANGUAGES: Mapping[str, Words] = MappingProxyType({"en": _ENGLISH, "it": _ITALIAN, "de": _GERMAN})
