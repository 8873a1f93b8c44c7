"""What people are told of a reservation, in words: in their language, and by the restaurant's clock, where they will
be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tidings.spine.notify.templates.places import Place

_SHOWN = "EEEE d MMMM y, HH:mm"


@dataclass(frozen=True)
class Said:
    title: str
    body: str


@dataclass(frozen=True)
class About:
    """A reservation, as words speak of it."""

    restaurant: str
    customer: str
    party: int
    time: datetime
    timezone: str
    proposed: datetime | None = None
    note: str | None = None
    agency: str | None = None
    actor: str | None = None


@dataclass(frozen=True)
class Words:
    """The sentences of one language: a title and a body for each thing that is told."""

    request: Said
    again: Said
    answered: Said
    accepted: Said
    declined: Said
    withdrawn: Said
    received: Said
    confirmed: Said
    rejected: Said
    postponed: Said
    cancelled: Said
    guest: str
    note: str
    agency: str
    open: str


_ENGLISH = Words(
    request=Said("Reservation request: {customer}, {party}", "{customer} asks for a table for {party} on {when}."),
    again=Said("Please decide: {customer}, {party}", "The request of {customer} for {party} on {when} is open again."),
    answered=Said("Waiting for {customer}: {proposed}", "{actor} proposed {proposed} instead of {when}, for {party}."),
    accepted=Said("{customer} accepts", "{customer} comes on {when}, with a party of {party}."),
    declined=Said("{customer} declines", "{customer} does not come on {proposed}; the reservation is off."),
    withdrawn=Said("Cancelled: {customer}, {party}", "{customer} has cancelled: {when}, for {party}."),
    received=Said(
        "Your request at {restaurant}", "{restaurant} has your request for {party} on {when}, and will answer soon."
    ),
    confirmed=Said("Confirmed: {restaurant}", "{restaurant} expects you on {when}, with a party of {party}."),
    rejected=Said(
        "{restaurant} cannot take your reservation", "{restaurant} has no table for {party} on {when}. We are sorry."
    ),
    postponed=Said(
        "{restaurant} proposes another time",
        "{restaurant} has no table for {party} on {when}, and proposes {proposed}. Please accept or decline.",
    ),
    cancelled=Said(
        "Your reservation at {restaurant} is cancelled", "The reservation for {party} on {when} is cancelled."
    ),
    guest="a guest",
    note="Note: {note}",
    agency="Through: {agency}",
    open="Open",
)
_GERMAN = Words(
    request=Said(
        "Reservierungsanfrage: {customer}, {party}", "{customer} bittet um einen Tisch für {party} am {when}."
    ),
    again=Said(
        "Bitte entscheiden: {customer}, {party}", "Die Anfrage von {customer} für {party} am {when} ist wieder offen."
    ),
    answered=Said(
        "Warten auf {customer}: {proposed}", "{actor} hat {proposed} statt {when} vorgeschlagen, für {party}."
    ),
    accepted=Said("{customer} nimmt an", "{customer} kommt am {when}, mit {party} Personen."),
    declined=Said("{customer} lehnt ab", "{customer} kommt am {proposed} nicht; die Reservierung entfällt."),
    withdrawn=Said("Storniert: {customer}, {party}", "{customer} hat storniert: {when}, für {party}."),
    received=Said(
        "Ihre Anfrage bei {restaurant}", "{restaurant} hat Ihre Anfrage für {party} am {when} und antwortet bald."
    ),
    confirmed=Said("Bestätigt: {restaurant}", "{restaurant} erwartet Sie am {when}, mit {party} Personen."),
    rejected=Said(
        "{restaurant} kann nicht reservieren", "{restaurant} hat am {when} keinen Tisch für {party}. Es tut uns leid."
    ),
    postponed=Said(
        "{restaurant} schlägt eine andere Zeit vor",
        "{restaurant} hat am {when} keinen Tisch für {party} und schlägt {proposed} vor. Bitte nehmen Sie an oder "
        "lehnen Sie ab.",
    ),
    cancelled=Said(
        "Ihre Reservierung bei {restaurant} ist storniert", "Die Reservierung für {party} am {when} ist storniert."
    ),
    guest="ein Gast",
    note="Anmerkung: {note}",
    agency="Über: {agency}",
    open="Öffnen",
)
_ITALIAN = Words(
    request=Said("Richiesta di prenotazione: {customer}, {party}", "{customer} chiede un tavolo per {party}, {when}."),
    again=Said(
        "Da decidere: {customer}, {party}", "La richiesta di {customer} per {party}, {when}, è di nuovo aperta."
    ),
    answered=Said(
        "In attesa di {customer}: {proposed}", "{actor} ha proposto {proposed} invece di {when}, per {party}."
    ),
    accepted=Said("{customer} accetta", "{customer} viene {when}; siete attesi in {party}."),
    declined=Said("{customer} rifiuta", "{customer} non viene {proposed}; la prenotazione decade."),
    withdrawn=Said("Annullata: {customer}, {party}", "{customer} ha annullato: {when}, per {party}."),
    received=Said(
        "La tua richiesta a {restaurant}",
        "{restaurant} ha ricevuto la tua richiesta per {party}, {when}, e risponderà presto.",
    ),
    confirmed=Said("Confermata: {restaurant}", "{restaurant} ti aspetta {when}; siete in {party}."),
    rejected=Said("{restaurant} non può accettare", "{restaurant} non ha un tavolo per {party}, {when}. Ci dispiace."),
    postponed=Said(
        "{restaurant} propone un altro orario",
        "{restaurant} non ha un tavolo per {party}, {when}, e propone {proposed}. Accetta o rifiuta, per favore.",
    ),
    cancelled=Said(
        "La tua prenotazione a {restaurant} è annullata", "La prenotazione per {party}, {when}, è annullata."
    ),
    guest="un ospite",
    note="Nota: {note}",
    agency="Tramite: {agency}",
    open="Apri",
)
_LANGUAGES = {"en": _ENGLISH, "de": _GERMAN, "it": _ITALIAN}


@dataclass(frozen=True)
class Reader:
    """Somebody with a language; where none is known, English."""

    locale: str | None

    @property
    def language(self) -> str:
        return short if (short := (self.locale or "en")[:2].lower()) in _LANGUAGES else "en"

    @property
    def words(self) -> Words:
        return _LANGUAGES[self.language]

    def said(self, words: Said, about: About, *, details: bool = False) -> Said:
        """`details`: what the guest wrote, and through whom they came, for those who decide."""
        named = {
            "restaurant": about.restaurant,
            "customer": about.customer or self.words.guest,
            "party": str(about.party),
            "when": self._when(about.time, about.timezone),
            "proposed": "" if about.proposed is None else self._when(about.proposed, about.timezone),
            "actor": about.actor or about.restaurant,
        }
        lines = [words.body.format(**named)]
        if details and about.agency:
            lines.append(self.words.agency.format(agency=about.agency))
        if details and about.note:
            lines.append(self.words.note.format(note=about.note))
        return Said(words.title.format(**named), "\n\n".join(lines))

    def _when(self, moment: datetime, timezone: str) -> str:
        """By the restaurant's clock, which is named: a reader elsewhere must not take it for theirs."""
        return f"{Place(self.language, timezone).datetime(moment, _SHOWN)} ({timezone})"
