"""A notice that is to be made: what is being said, once, whoever hears it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from tidings.spine.channels.port import Channel, Level
from tidings.spine.notify.attaching import Attached, checked
from tidings.spine.notify.audience import By, Selector
from tidings.spine.notify.matters.model import LONGEST_MATTER, USUAL, Action, Escalation

CATEGORY = "general"
TEMPLATE = "notice"


@dataclass(frozen=True)
class Notice:
    """What a listener answers with. `title` and `body` are plain words, not templates.

    `template` names the templates that dress it for each channel; `properties` are for them, and for programs.
    `delay` is counted from the fact.

    A `shared` notice is one `matter` for all its recipients: whoever reads it has read it for all, and the first to do
    one of `actions` settles it. Notices that name the same matter are settled together; one that names none is a matter
    of its own. Its mails and Slack messages have buttons for what takes no more than a click. With an `escalation`,
    others are told where nobody acts. One that is `filed` is read and archived in every inbox from the start: it says
    on other channels what the inbox shows anyway.

    What is said under a `topic` is for its subscribers: who is none when it is to be sent is not told. Who chose
    integrations for it is told there and nowhere else, whatever `channels` says. A notice to the subscribers of one
    topic is said under it, unless another is named.

    `attachments` go along with its mails. `link` names what they link to (`data.actionUrl`): the worker makes it for
    each mail when it is composed, and it is kept nowhere. Where `addresses` names some, by their ids, it is sent to
    those of its people's and to no other.
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
    attachments: Sequence[Attached] = ()
    link: str | None = None
    matter: str | None = None
    actions: Sequence[Action | str] | None = None
    escalation: Escalation | None = None
    filed: bool = False
    addresses: Sequence[UUID] = ()

    def __post_init__(self) -> None:
        """A channel or level that does not exist raises ValueError here, in the listener that named it."""
        object.__setattr__(self, "channels", tuple(dict.fromkeys(Channel(channel) for channel in self.channels)))
        object.__setattr__(self, "level", Level(self.level))
        object.__setattr__(self, "topic", self.topic or _topic_of(self.to))
        object.__setattr__(self, "attachments", checked(self.attachments))
        actions = self.actions if self.actions is not None else USUAL if self.shared else ()
        object.__setattr__(self, "actions", tuple(dict.fromkeys(Action(action) for action in actions)))
        if not self.channels:
            raise ValueError("a notice needs at least one channel")
        _check_matter(self)


def _check_matter(notice: Notice) -> None:
    actions = notice.actions or ()
    if notice.matter is not None and not 1 <= len(notice.matter) <= LONGEST_MATTER:
        raise ValueError(f"a matter has a name of 1 to {LONGEST_MATTER} characters, such as reservation:7")
    if actions and not notice.shared:
        raise ValueError("what can be acted on is shared")
    if Action.WITHDRAWN in actions:
        raise ValueError("nobody chooses to withdraw a matter")
    if notice.escalation is not None and not actions:
        raise ValueError("only what can be acted on is escalated")


def _topic_of(audience: Sequence[Selector]) -> str | None:
    """The topic whose subscribers are the audience, where it is they alone."""
    match audience:
        case [Selector(by=By.TOPIC, values=(topic,))]:
            return topic
        case _:
            return None
