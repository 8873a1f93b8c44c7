"""What goes along with a notice's mails: texts, such as an appointment for a calendar, which the notice keeps, and how
large they may be; and files that somebody else keeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from tidings.spine.channels.media_types import MEDIA_TYPE
from tidings.spine.notify.people.fields import short

MOST = 10
LARGEST = 128 * 1024
"""Bytes of all attachments of one notice: a worker keeps some of the notices that it sends in memory."""
_LONGEST_NAME = 200


@dataclass(frozen=True)
class TextAttachment:
    """A text as a file, in UTF-8. `media_type` may have parameters: `text/calendar; method=REQUEST; charset=utf-8`."""

    name: str
    media_type: str
    text: str = field(repr=False)

    def __post_init__(self) -> None:
        """What could not be sent raises ValueError here, in the listener that made it."""
        short(self.name, _LONGEST_NAME)
        if not MEDIA_TYPE.fullmatch(self.media_type):
            raise ValueError(f"{self.media_type!r} is no media type that a mail can have")
        if "\0" in self.text:
            raise ValueError("an attachment is a text, and has no NUL in it")
        self.text.encode()  # UnicodeEncodeError, which is a ValueError, for half a character

    @property
    def content(self) -> bytes:
        return self.text.encode()


@dataclass(frozen=True)
class KeptAttachment:
    """A file of any size that a module keeps: the worker asks it for the file, by this id, when it composes the mails.
    The notice does not have it."""

    kind: str
    id: str


Attached: TypeAlias = TextAttachment | KeptAttachment


def checked(attachments: Sequence[Attached]) -> tuple[Attached, ...]:
    """As they are, or ValueError for too many, or too much."""
    if len(attachments) > MOST:
        raise ValueError(f"a notice has at most {MOST} attachments")
    if sum(len(each.content) for each in attachments if isinstance(each, TextAttachment)) > LARGEST:
        raise ValueError(f"the attachments of a notice have at most {LARGEST:,} bytes together")
    return tuple(attachments)


def as_json(attachments: Sequence[Attached]) -> str:
    return json.dumps([_written(each) for each in attachments])


def of_json(text: str) -> tuple[Attached, ...]:
    """What `as_json` wrote."""
    return tuple(_read(each) for each in json.loads(text))


def _written(attached: Attached) -> dict[str, str]:
    match attached:
        case TextAttachment(name, media_type, text):
            return {"name": name, "mediaType": media_type, "text": text}
        case KeptAttachment(kind, id):
            return {"kept": kind, "id": id}
        case _:
            assert_never(attached)


def _read(written: dict[str, str]) -> Attached:
    if "kept" in written:
        return KeptAttachment(written["kept"], written["id"])
    return TextAttachment(written["name"], written["mediaType"], written["text"])
