"""CSV as it arrives: bytes in, records out. What is wrong with one record does not touch the next."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tidings.kit.errors import ValidationFailed

LONGEST_RECORD = 65_536
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_QUOTED = r'"(?:[^"]|"")*"'
_FIELD = rf'(?:[^",]*|{_QUOTED})'
_WHOLE = re.compile(rf"{_FIELD}(?:,{_FIELD})*")
_OPEN = re.compile(rf'(?:{_FIELD},)*"(?:[^"]|"")*')


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
    """Holds no more than the record that has not ended yet. `Unreadable` where it makes no sense to read on."""

    def __init__(self) -> None:
        self._rest = b""
        self._line = 0  # lines seen
        self._open = ""  # a record that goes on in the next line
        self._open_since = 0
        self._begun = False

    def feed(self, chunk: bytes) -> list[Read]:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        if len(self._rest) > LONGEST_RECORD:
            raise Unreadable(f"Line {self._line + len(lines) + 1} is longer than {LONGEST_RECORD} bytes.")
        return [read for line in lines for read in self._next(line)]

    def finish(self) -> list[Read]:
        last = list(self._next(self._rest)) if self._rest else []
        if self._open:
            last.append(Broken(self._open_since, "a quote is opened and never closed"))
        return last

    def _next(self, raw: bytes) -> Iterator[Read]:
        self._line += 1
        try:
            line = self._begin(raw).removesuffix(b"\r").decode()
        except UnicodeDecodeError as error:
            yield Broken(self._open_since if self._open else self._line, _not_utf_8(raw, error.start))
            self._open = ""
            return
        if self._open:
            text = f"{self._open}\n{line}"
        elif line:
            text, self._open_since = line, self._line
        else:
            return
        self._open = ""
        yield from self._judged(text)

    def _judged(self, text: str) -> Iterator[Read]:
        if len(text) > LONGEST_RECORD:
            yield Broken(self._open_since, f"is longer than {LONGEST_RECORD} characters; is a quote never closed?")
        elif "\x00" in text:
            yield Broken(self._open_since, "has a NUL in it")
        elif "\r" in text and "\r" in re.sub(_QUOTED, "", text):
            yield Broken(self._open_since, "has a carriage return out of place; end lines with LF or CRLF")
        elif '"' not in text or _WHOLE.fullmatch(text):
            yield Record(self._open_since, next(csv.reader([text], strict=True)))
        elif _OPEN.fullmatch(text):
            self._open = text
        else:
            yield Broken(self._open_since, 'has a quote out of place; write a quote in quotes twice: "say ""hi"""')

    def _begin(self, raw: bytes) -> bytes:
        if self._begun:
            return raw
        self._begun = True
        if raw.startswith(_UTF_16):
            raise Unreadable("The file is UTF-16; save it as CSV UTF-8.")
        return raw.removeprefix(_BOM)


def _not_utf_8(raw: bytes, at: int) -> str:
    return f"is not UTF-8 (byte {raw[at]:#04x} at {at + 1}); save the file as CSV UTF-8"
