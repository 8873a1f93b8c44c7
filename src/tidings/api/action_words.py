"""The words of the pages behind the buttons of a message, in the languages that there are. What is done is said as
everywhere, in the words of matters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Words:
    """`{name}` is the person whom the message was for, `{how}` what was done."""

    in_whose_name: str
    done: str
    impossible: str
    expired_title: str
    expired: str
    sign_in: str


_ENGLISH = Words(
    in_whose_name="You answer in the name of {name}. The first answer counts, for everybody who was asked.",
    done="Done: {how}.",
    impossible="This cannot be done any more.",
    expired_title="This link has expired",
    expired="A link in a message works for a week. If you can sign in, you can still answer there.",
    sign_in="Sign in",
)
_ITALIAN = Words(
    in_whose_name="Rispondi a nome di {name}. La prima risposta vale per tutti coloro a cui è stato chiesto.",
    done="Fatto: {how}.",
    impossible="Non è più possibile.",
    expired_title="Questo link è scaduto",
    expired="Un link in un messaggio vale una settimana. Se puoi accedere, puoi ancora rispondere lì.",
    sign_in="Accedi",
)
_GERMAN = Words(
    in_whose_name="Sie antworten im Namen von {name}. Die erste Antwort gilt, für alle, die gefragt wurden.",
    done="Erledigt: {how}.",
    impossible="Das ist nicht mehr möglich.",
    expired_title="Dieser Link ist abgelaufen",
    expired="Ein Link in einer Nachricht gilt eine Woche. Wer sich anmelden kann, kann dort noch antworten.",
    sign_in="Anmelden",
)
LANGUAGES: Mapping[str, Words] = MappingProxyType({"en": _ENGLISH, "it": _ITALIAN, "de": _GERMAN})
