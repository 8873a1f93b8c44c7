"""What people are told of an event, in words: for one person in their language and by their clock, for all at once in
English and by the event's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from babel.units import format_unit

from tidings.spine.notify.templates.places import Place

DAY, HOUR, MINUTE = 86_400, 3_600, 60
_SHOWN = "EEEE d MMMM y, HH:mm"


@dataclass(frozen=True)
class Words:
    """The sentences of one language. `{name}` is the event's, `{left}` the time that is left, `{when}` its start."""

    tomorrow_title: str
    tomorrow: str
    soon_title: str
    soon: str
    left_title: str
    left: str
    now_title: str
    now: str
    reminder_title: str
    reminder: str
    joined_title: str
    joined: str
    confirm_title: str
    confirm: str
    confirm_label: str
    live_title: str
    live: str
    when: str
    where: str
    details: str


_ENGLISH = Words(
    tomorrow_title="{name} is tomorrow",
    tomorrow="A reminder: {name} starts tomorrow.",
    soon_title="{name} starts in 1 hour",
    soon="A reminder: {name} starts in 1 hour.",
    left_title="{name} starts in {left}",
    left="A reminder: {name} starts in {left}.",
    now_title="{name} starts now",
    now="{name} starts now.",
    reminder_title="Reminder: {name}",
    reminder="You asked to be reminded of {name}.",
    joined_title="You have joined {name}",
    joined="We will keep you posted about {name}.",
    confirm_title="Please confirm: {name}",
    confirm="Somebody, probably you, asked to hear about {name} at this address. If it was you, confirm it. If not, do "
    "nothing: you will hear no more of it.",
    confirm_label="Confirm",
    live_title="Your event is live: {name}",
    live="{name} has been created, and people can join it.",
    when="When: {when}",
    where="Where: {where}",
    details="Details",
)
_GERMAN = Words(
    tomorrow_title="{name} ist morgen",
    tomorrow="Zur Erinnerung: {name} beginnt morgen.",
    soon_title="{name} beginnt in 1 Stunde",
    soon="Zur Erinnerung: {name} beginnt in 1 Stunde.",
    left_title="{name}: noch {left}",
    left="Zur Erinnerung: Bis {name} beginnt, sind es noch {left}.",
    now_title="{name} beginnt jetzt",
    now="{name} beginnt jetzt.",
    reminder_title="Erinnerung: {name}",
    reminder="Sie wollten an {name} erinnert werden.",
    joined_title="Sie nehmen teil: {name}",
    joined="Wir halten Sie über {name} auf dem Laufenden.",
    confirm_title="Bitte bestätigen: {name}",
    confirm="Jemand, vermutlich Sie, möchte unter dieser Adresse von {name} hören. Wenn Sie das waren, bestätigen Sie "
    "es bitte. Wenn nicht, brauchen Sie nichts zu tun: Sie hören nichts mehr davon.",
    confirm_label="Bestätigen",
    live_title="Ihre Veranstaltung steht: {name}",
    live="{name} ist angelegt, und man kann sich anmelden.",
    when="Wann: {when}",
    where="Wo: {where}",
    details="Einzelheiten",
)
_ITALIAN = Words(
    tomorrow_title="{name} è domani",
    tomorrow="Promemoria: {name} comincia domani.",
    soon_title="{name} comincia tra 1 ora",
    soon="Promemoria: {name} comincia tra 1 ora.",
    left_title="{name} comincia tra {left}",
    left="Promemoria: {name} comincia tra {left}.",
    now_title="{name} comincia adesso",
    now="{name} comincia adesso.",
    reminder_title="Promemoria: {name}",
    reminder="Hai chiesto un promemoria per {name}.",
    joined_title="Partecipi a {name}",
    joined="Ti terremo al corrente su {name}.",
    confirm_title="Conferma, per favore: {name}",
    confirm="Qualcuno, probabilmente tu, ha chiesto di ricevere notizie di {name} a questo indirizzo. Se eri tu, "
    "conferma. Altrimenti non serve fare nulla: non ne saprai più niente.",
    confirm_label="Conferma",
    live_title="Il tuo evento è attivo: {name}",
    live="{name} è stato creato e ci si può iscrivere.",
    when="Quando: {when}",
    where="Dove: {where}",
    details="Dettagli",
)
_LANGUAGES = {"en": _ENGLISH, "de": _GERMAN, "it": _ITALIAN}


@dataclass(frozen=True)
class Said:
    title: str
    body: str


@dataclass(frozen=True)
class Reader:
    """Somebody with a language and a clock; where none is known, English and the event's own."""

    locale: str
    timezone: str

    @property
    def language(self) -> str:
        return short if (short := self.locale[:2].lower()) in _LANGUAGES else "en"

    @property
    def words(self) -> Words:
        return _LANGUAGES[self.language]

    def when(self, moment: str | datetime) -> str:
        """A moment by their clock, which is named: a reader elsewhere must not take it for theirs."""
        return f"{Place(self.language, self.timezone).datetime(moment, _SHOWN)} ({self.timezone})"

    def left(self, seconds: int) -> str:
        return ", ".join(format_unit(amount, unit, "long", locale=self.language) for amount, unit in _parts(seconds))

    def details(self, event: Mapping[str, Any]) -> str:
        lines = [self.words.when.format(when=self.when(event["startsAt"]))]
        if event["location"]:
            lines.append(self.words.where.format(where=event["location"]))
        return "\n".join(lines)

    def of_event(self, title: str, text: str, event: Mapping[str, Any], **more: str) -> Said:
        named = {"name": event["name"], **more}
        return Said(title.format(**named), f"{text.format(**named)}\n\n{self.details(event)}")


def reader_of(data: Mapping[str, Any]) -> Reader:
    """Whom a fact of the module is for, where it is for one person."""
    return Reader(data.get("locale") or "en", data.get("timezone") or data["event"]["timezone"])


def reminder(event: Mapping[str, Any], offset: int | None, reader: Reader) -> Said:
    """By how long before the start it is; one at a time of its own says only what it reminds of."""
    words = reader.words
    match offset:
        case None:
            return reader.of_event(words.reminder_title, words.reminder, event)
        case 0:
            return reader.of_event(words.now_title, words.now, event)
        case seconds if seconds == DAY:
            return reader.of_event(words.tomorrow_title, words.tomorrow, event)
        case seconds if seconds == HOUR:
            return reader.of_event(words.soon_title, words.soon, event)
    return reader.of_event(words.left_title, words.left, event, left=reader.left(offset))


def update(event: Mapping[str, Any], changes: Mapping[str, Any]) -> Said:
    """What changed, for everybody: by the event's clock."""
    reader = Reader("en", event["timezone"])
    lines = "\n".join(f"• {line}" for line in _changes(event, changes, reader))
    return Said(f"Event update: {event['name']}", f"What has changed:\n{lines}")


def cancellation(event: Mapping[str, Any]) -> Said:
    reader = Reader("en", event["timezone"])
    return reader.of_event(
        "Event cancelled: {name}", "{name} will not take place: its organiser has cancelled it.", event
    )


def _changes(event: Mapping[str, Any], changes: Mapping[str, Any], reader: Reader) -> Iterator[str]:
    if "name" in changes:
        yield f"Name: {event['name']}"
    if "startsAt" in changes or "timezone" in changes:
        yield f"Start: {reader.when(event['startsAt'])}"
    if "endsAt" in changes:
        yield f"End: {reader.when(event['endsAt'])}" if event["endsAt"] else "End: open"
    if "location" in changes:
        yield f"Location: {event['location'] or 'none any more'}"
    if "description" in changes:
        yield "The description is new." if event["description"] else "There is no description any more."


def _parts(seconds: int) -> Iterator[tuple[int, str]]:
    """The two largest units that are not zero; what is left of the rest is less than a reader wants to know."""
    found = []
    for size, unit in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (1, "second")):
        amount, seconds = divmod(seconds, size)
        if amount:
            found.append((amount, unit))
    yield from found[:2]
