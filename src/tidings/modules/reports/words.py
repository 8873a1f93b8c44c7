"""What an owner is told of a run that went wrong, in their language."""

from __future__ import annotations

from dataclasses import dataclass

from tidings.modules.reports.model import RunStatus


@dataclass(frozen=True)
class Words:
    no_report: str
    no_report_body: str
    not_sent: str
    not_sent_body: str
    missed: str
    missed_body: str


_LANGUAGES = {
    "en": Words(
        no_report="No report: {name}, {slot}",
        no_report_body="It could not be made: {reason}. Once that is mended, try the run again.",
        not_sent="Not everybody got the report: {name}, {slot}",
        not_sent_body="It did not reach {failed} of {all}. It can be sent again to those alone.",
        missed="Not begun: {name}, {slot}",
        missed_body="This report was due and has not been begun. Whoever runs Tidings finds out why in the outbox.",
    ),
    "de": Words(
        no_report="Kein Bericht: {name}, {slot}",
        no_report_body="Er konnte nicht erstellt werden: {reason}. Ist das behoben, lässt sich der Lauf wiederholen.",
        not_sent="Bericht nicht bei allen angekommen: {name}, {slot}",
        not_sent_body="{failed} von {all} hat er nicht erreicht. Er lässt sich an sie allein noch einmal senden.",
        missed="Nicht begonnen: {name}, {slot}",
        missed_body="Dieser Bericht war fällig und wurde nicht begonnen. Wer Tidings betreibt, sieht im Outbox, warum.",
    ),
    "it": Words(
        no_report="Nessun rapporto: {name}, {slot}",
        no_report_body="Non è stato possibile crearlo: {reason}. Una volta risolto, l'esecuzione si può ripetere.",
        not_sent="Il rapporto non è arrivato a tutti: {name}, {slot}",
        not_sent_body="Non ha raggiunto {failed} di {all}. Si può inviare di nuovo solo a loro.",
        missed="Non iniziato: {name}, {slot}",
        missed_body="Era previsto e non è stato iniziato. Chi gestisce Tidings trova il perché nell'outbox.",
    ),
}


@dataclass(frozen=True)
class Said:
    title: str
    body: str


def language_of(locale: str | None) -> str:
    return short if (short := (locale or "en")[:2].lower()) in _LANGUAGES else "en"


def missed(locale: str | None, name: str, slot: str) -> Said:
    words = _LANGUAGES[language_of(locale)]
    return Said(words.missed.format(name=name, slot=slot), words.missed_body)


def said(
    locale: str | None, status: RunStatus, name: str, slot: str, reason: str | None, failed: int, everybody: int
) -> Said:
    words = _LANGUAGES[language_of(locale)]
    if status is RunStatus.GENERATION_FAILED:
        return Said(words.no_report.format(name=name, slot=slot), words.no_report_body.format(reason=reason or "?"))
    return Said(words.not_sent.format(name=name, slot=slot), words.not_sent_body.format(failed=failed, all=everybody))
