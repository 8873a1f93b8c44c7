"""Texts that go along with a notice's mails, such as an appointment for a calendar; and how large they may be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

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


def checked(attachments: Sequence[TextAttachment]) -> tuple[TextAttachment, ...]:
    """As they are, or ValueError for too many, or too much."""
    if len(attachments) > MOST:
        raise ValueError(f"a notice has at most {MOST} attachments")
    if sum(len(each.content) for each in attachments) > LARGEST:
        raise ValueError(f"the attachments of a notice have at most {LARGEST:,} bytes together")
    return tuple(attachments)


def as_json(attachments: Sequence[TextAttachment]) -> str:
    return json.dumps([{"name": a.name, "mediaType": a.media_type, "text": a.text} for a in attachments])


def of_json(text: str) -> tuple[TextAttachment, ...]:
    """What `as_json` wrote."""
    return tuple(TextAttachment(each["name"], each["mediaType"], each["text"]) for each in json.loads(text))
