"""What may stand in the headers of a mail, and how it is written there.

A subject with a control character is refused, also one that only shows when its encoded words are decoded: some
programs do, and would find a header of the attacker's. Names are decoration: what does not belong in them is left
out, and the mail goes on. Characters that turn the reading direction round are left out of both.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header

from tidings.spine.channels.places import ascii_host
from tidings.spine.channels.port import Rejected

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_TURNING = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_LOCAL = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*")
_PLAIN = re.compile(r"[ !-~]{0,70}")
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")
_LONGEST_LOCAL, _LONGEST_ADDRESS, _LONGEST_SUBJECT, _LONGEST_NAME = 64, 254, 998, 200
_WORD = 45  # bytes in one encoded word, which makes a line of 72
_LAYERS = 3  # encoded words inside of encoded words


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One mail address, and whose it is."""

    local: str
    domain: str  # in ASCII
    name: str = ""

    @property
    def address(self) -> str:
        return f"{self.local}@{self.domain}"

    @property
    def needs_utf8(self) -> bool:
        """Whether only servers with SMTPUTF8 can be given it."""
        return not self.local.isascii()

    def __str__(self) -> str:
        """As JSON providers take it: not encoded, and quoted where there is a name."""
        return f"{_quoted(self.name)} <{self.address}>" if self.name else self.address

    def header(self) -> str:
        if not self.name:
            return self.address
        name = _quoted(self.name) if _is_plain(self.name) else encoded_words(self.name)
        return f"{name} <{self.address}>"


def mailbox(address: str, name: str | None = None) -> Mailbox | Rejected:
    """The one address that the text is: no list, no name, no route, no quotes, no comments."""
    local, at, domain = address.strip(" ").rpartition("@")
    host = ascii_host(domain)
    if not at or len(local.encode(errors="replace")) > _LONGEST_LOCAL or not _LOCAL.fullmatch(local):
        return Rejected("this is not one mail address")
    if host is None or "." not in host or len(local) + len(host) >= _LONGEST_ADDRESS:
        return Rejected("the mail address has no valid domain")
    return Mailbox(local, host, clean_name(name or ""))


def clean_name(name: str) -> str:
    """A name without what does not belong in one; empty where an encoded word hides a control character."""
    cleaned = " ".join(_NOT_IN_NAMES.sub("", name).split())[:_LONGEST_NAME]
    return "" if _hides_a_control(cleaned) else cleaned


def checked_subject(subject: str) -> str | Rejected:
    if len(subject) > _LONGEST_SUBJECT:
        return Rejected(f"the subject is longer than {_LONGEST_SUBJECT} characters")
    if _CONTROL.search(subject) or _hides_a_control(subject):
        return Rejected("the subject has a control character in it")
    return _TURNING.sub("", subject)


def _hides_a_control(text: str) -> bool:
    for _ in range(_LAYERS):
        if "=?" not in text:
            return False
        try:
            decoded = "".join(_as_text(piece, charset) for piece, charset in decode_header(text))
        except HeaderParseError:
            return True
        if _CONTROL.search(decoded):
            return True
        if decoded == text:
            return False
        text = decoded
    return True


def _as_text(piece: str | bytes, charset: str | None) -> str:
    if isinstance(piece, str):
        return piece
    try:
        return piece.decode(charset or "ascii", "replace")
    except (LookupError, ValueError):
        return piece.decode("latin-1")


def header_text(text: str) -> str:
    """Free text as a header's value. What looks like an encoded word is encoded, so that it is read as it stands."""
    return text if _is_plain(text) else encoded_words(text)


def encoded_words(text: str) -> str:
    """The text in encoded words (RFC 2047), one a line."""
    return "\n ".join(f"=?utf-8?b?{b64encode(piece).decode()}?=" for piece in _pieces(text))


def _pieces(text: str) -> Iterator[bytes]:
    piece = b""
    for char in text:
        coded = char.encode()
        if len(piece) + len(coded) > _WORD:
            yield piece
            piece = b""
        piece += coded
    yield piece


def _is_plain(text: str) -> bool:
    return "=?" not in text and _PLAIN.fullmatch(text) is not None


def _quoted(name: str) -> str:
    if _ATOMS.fullmatch(name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
