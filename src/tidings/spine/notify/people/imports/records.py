"""CSV as it arrives: bytes in, records out. What is wrong with one record does not touch the next."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TypeAlias

from tidings.kit.errors import ValidationFailed

LONGEST_RECORD = 65_536
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_INSIDE = r'[^"]*(?:""[^"]*)*'  # of quotes
_QUOTED = rf'"{_INSIDE}"'
_FIELD = rf'(?:[^",]*|{_QUOTED})'
_WHOLE = re.compile(rf"{_FIELD}(?:,{_FIELD})*")
_OPENS = re.compile(rf'(?:{_FIELD},)*"{_INSIDE}')
# A line that begins inside of quotes: it ends the record, or it does not.
_ENDS = re.compile(rf'{_INSIDE}"(?:,{_FIELD})*')
_GOES_ON = re.compile(rf'{_INSIDE}(?:",(?:{_FIELD},)*"{_INSIDE})?')


@dataclass(frozen=True, slots=True)
class Record:
    """The cells of a row, and the line that it begins in, counted from 1."""

    line: int
    cells: list[str]


@dataclass(frozen=True, slots=True)
class Broken:
    """A row that cannot be read."""

    line: int
    error: str


Read: TypeAlias = Record | Broken


class Unreadable(ValidationFailed):
    """The file cannot be read."""


class Reader:
    """Holds no more than the record that has not ended yet, and looks at each line once. `Unreadable` where it makes no
    sense to read on."""

    def __init__(self) -> None:
        self._rest = b""
        self._line = 0  # lines seen
        self._lines: list[str] = []  # of a record that has not ended
        self._size = 0
        self._since = 0
        self._begun = False

    def feed(self, chunk: bytes) -> list[Read]:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        if len(self._rest) > LONGEST_RECORD:
            raise Unreadable(f"Line {self._line + len(lines) + 1} is longer than {LONGEST_RECORD} bytes.")
        return [read for line in lines if (read := self._next(line)) is not None]

    def finish(self) -> list[Read]:
        last = self._next(self._rest) if self._rest else None
        if last is None and self._lines:
            last = Broken(self._since, "a quote is opened and never closed")
        return [] if last is None else [last]

    def _next(self, raw: bytes) -> Read | None:
        """What ends with this line, if anything does."""
        self._line += 1
        if not self._lines:
            self._since, self._size = self._line, 0
        read: Read | None
        try:
            read = self._judged(self._begin(raw).removesuffix(b"\r").decode())
        except UnicodeDecodeError as error:
            read = Broken(self._since, _not_utf_8(raw, error.start))
        if read is not None:
            self._lines = []
        return read

    def _judged(self, line: str) -> Read | None:
        if not line and not self._lines:
            return None
        opens, ends = (_GOES_ON, _ENDS) if self._lines else (_OPENS, _WHOLE)
        self._lines.append(line)
        self._size += len(line) + 1
        if self._size > LONGEST_RECORD + 1:
            return self._broken(f"is longer than {LONGEST_RECORD} characters; is a quote never closed?")
        if "\x00" in line:
            return self._broken("has a NUL in it")
        plain = '"' not in line and ends is _WHOLE
        if not plain and opens.fullmatch(line):
            return None
        return self._ended(plain or ends.fullmatch(line) is not None)

    def _ended(self, whole: bool) -> Read:
        text = "\n".join(self._lines)
        if "\r" in text and "\r" in re.sub(_QUOTED, "", text):
            return self._broken("has a carriage return out of place; end lines with LF or CRLF")
        if not whole:
            return self._broken('has a quote out of place; write a quote in quotes twice: "say ""hi"""')
        return Record(self._since, next(csv.reader([text], strict=True)))

    def _broken(self, error: str) -> Broken:
        return Broken(self._since, error)

    def _begin(self, raw: bytes) -> bytes:
        if self._begun:
            return raw
        self._begun = True
        if raw.startswith(_UTF_16):
            raise Unreadable("The file is UTF-16; save it as CSV UTF-8.")
        return raw.removeprefix(_BOM)


def _not_utf_8(raw: bytes, at: int) -> str:
    return f"is not UTF-8 (byte {raw[at]:#04x} at {at + 1}); save the file as CSV UTF-8"
