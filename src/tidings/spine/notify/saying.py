"""A notice that is to be made: what is being said, once, whoever hears it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from tidings.spine.channels.port import Channel, Level
from tidings.spine.notify.audience import Selector

CATEGORY = "general"
TEMPLATE = "notice"


@dataclass(frozen=True)
class TextAttachment:
    name: str
    media_type: str
    text: str


@dataclass(frozen=True)
class Notice:
    """What a listener answers with. `title` and `body` are plain words, not templates.

    `template` names the templates that dress it for each channel; `properties` are for them, and for programs.
    A `shared` notice is one matter for all its recipients. `delay` is counted from the fact.
    """

    title: str
    body: str
    to: Sequence[Selector]
    channels: Sequence[Channel | str]
    level: Level | str = Level.INFO
    category: str = CATEGORY
    template: str = TEMPLATE
    delay: timedelta = timedelta(0)
    shared: bool = False
    properties: Mapping[str, Any] = field(default_factory=dict)
    max_attempts: int | None = None
    expires_after: timedelta | None = None
    topic: str | None = None
    attachments: Sequence[TextAttachment] = ()
    link: str | None = None

    def __post_init__(self) -> None:
        """A channel or level that does not exist raises ValueError here, in the listener that named it."""
        object.__setattr__(self, "channels", tuple(dict.fromkeys(Channel(channel) for channel in self.channels)))
        object.__setattr__(self, "level", Level(self.level))
        if not self.channels:
            raise ValueError("a notice needs at least one channel")
