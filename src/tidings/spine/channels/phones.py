"""Phone numbers, as providers want them."""

from __future__ import annotations

import re

_PUNCTUATION = re.compile(r"[ ().\-]")
_E164 = re.compile(r"\+[1-9][0-9]{6,14}")


def phone_number(written: str) -> str | None:
    """`+` and digits (E.164), or None. Other kinds of address that a provider takes (`whatsapp:…`) are not numbers."""
    number = _PUNCTUATION.sub("", written.strip())
    return number if _E164.fullmatch(number) else None
