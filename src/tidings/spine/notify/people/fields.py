"""What the fields of a person may hold. Each function gives the value as it is kept, or says what is wrong."""

from __future__ import annotations

import re
from datetime import time
from functools import cache
from zoneinfo import available_timezones

LONGEST_NAME = 200
_BIDI = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_NOT_PLAIN = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
PLAIN = rf"^[^{_NOT_PLAIN}]+$"
"""Text of one line, and at least some."""
NAME = rf"^[^{_NOT_PLAIN}]*[^{_NOT_PLAIN}\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069][^{_NOT_PLAIN}]*$"
"""The same, and at least some of it to be seen."""
LOCALE = (
    r"^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
    r"(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(-[A-WYZa-wyz](-[A-Za-z0-9]{2,8})+)*(-x(-[A-Za-z0-9]{1,8})+)?$"
)
CLOCK = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
PHONE = r"^\+[1-9][0-9]{6,14}$"
ZONE = r"^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$"
MAILBOX = rf"^[^\s@{_NOT_PLAIN}]+@[^\s@{_NOT_PLAIN}]+$"
WORD = r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$"
"""The name of a topic, a category or a channel: never `*`, which stands for all."""


def one_line(text: str) -> str:
    """As it is, or ValueError: no control characters, and nothing that UTF-8 has no bytes for."""
    if _CONTROL.search(text):
        raise ValueError("must not have control characters")
    return text


def person_name(text: str) -> str:
    """Without what would turn the text around it about; one that is then empty is none."""
    name = one_line(text).translate(_BIDI).strip()
    if not name:
        raise ValueError("must not be empty")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"must have {LONGEST_NAME} characters or fewer")
    return name


def locale(text: str) -> str:
    """A language tag of BCP 47, in its usual case: `en`, `pt-BR`, `zh-Hant-TW`."""
    if not re.fullmatch(LOCALE, text) or len(text) > 64:
        raise ValueError("must be a language tag such as en, pt-BR or zh-Hant-TW")
    language, *rest = text.split("-")
    return "-".join([language.lower(), *_cased(rest)])


def _cased(subtags: list[str]) -> list[str]:
    """Script and region come before the first single letter; after it all is lower case."""
    end = next((n for n, subtag in enumerate(subtags) if len(subtag) == 1), len(subtags))
    usual = [{4: str.title, 2: str.upper}.get(len(subtag), str.lower)(subtag) for subtag in subtags[:end]]
    return usual + [subtag.lower() for subtag in subtags[end:]]


def timezone(text: str) -> str:
    if text not in _zones():
        raise ValueError("must be a timezone of the IANA database, such as Europe/Rome")
    return text


@cache
def _zones() -> frozenset[str]:
    """`localtime` is wherever the server stands, and `Factory` is nowhere."""
    return frozenset(available_timezones() - {"localtime", "Factory"})


def clock(text: str) -> time:
    if not re.fullmatch(CLOCK, text):
        raise ValueError("must be a time of day such as 22:30")
    return time.fromisoformat(text)


def word(text: str) -> str:
    if not re.fullmatch(WORD, text):
        raise ValueError("must be letters, digits and _ . : -, 100 at most")
    return text


def topic(text: str) -> str:
    """The name of a topic that somebody may be subscribed to by hand. A module's own, such as `event:7`, are its own
    affair: who joins an event is more than a subscriber of a topic."""
    if text.startswith("event:"):
        raise ValueError("belongs to an event; join or leave that instead")
    return word(text)


def short(text: str, longest: int) -> str:
    if not 1 <= len(text) <= longest:
        raise ValueError(f"must have 1 to {longest} characters")
    return one_line(text)
