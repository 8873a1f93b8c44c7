"""What people are told of an invitation, in their language and by their clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tidings.spine.notify.templates.places import Place

_SHOWN = "EEEE d MMMM y, HH:mm"
_ZONE = "UTC"


@dataclass(frozen=True)
class Words:
    title: str
    body: str
    accept: str


_LANGUAGES = {
    "en": Words(
        title="You are invited to {organization}",
        body="You have been invited to join {organization}. Accept the invitation to set up your sign-in.\n\n"
        "It is good until {until}. If you did not expect it, ignore this mail.",
        accept="Accept the invitation",
    ),
    "de": Words(
        title="Einladung zu {organization}",
        body="Sie sind zu {organization} eingeladen. Nehmen Sie die Einladung an, um Ihren Zugang einzurichten.\n\n"
        "Sie gilt bis {until}. Wenn Sie nichts davon wissen, lassen Sie diese Mail einfach liegen.",
        accept="Einladung annehmen",
    ),
    "it": Words(
        title="Invito a {organization}",
        body="Hai ricevuto un invito a entrare in {organization}. Accettalo per creare il tuo accesso.\n\n"
        "Vale fino a {until}. Se non te lo aspettavi, ignora questo messaggio.",
        accept="Accetta l'invito",
    ),
}


@dataclass(frozen=True)
class Said:
    title: str
    body: str


@dataclass(frozen=True)
class Reader:
    """Somebody with a language and a clock, as far as they are known."""

    locale: str | None
    timezone: str | None

    @property
    def language(self) -> str:
        return short if (short := (self.locale or "en")[:2].lower()) in _LANGUAGES else "en"

    @property
    def words(self) -> Words:
        return _LANGUAGES[self.language]

    def invitation(self, organization: str, expires_at: datetime) -> Said:
        zone = self.timezone or _ZONE
        until = f"{Place(self.language, zone).datetime(expires_at, _SHOWN)} ({zone})"
        words = self.words
        return Said(
            words.title.format(organization=organization), words.body.format(organization=organization, until=until)
        )
