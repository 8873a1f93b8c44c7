"""The Channel port: what is sent, and the four things that can come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Any, Protocol, TypeAlias
from uuid import UUID


class Channel(StrEnum):
    """A way to reach a person."""

    EMAIL = "email"
    SMS = "sms"
    WHATSAPP = "whatsapp"
    PUSH = "push"
    SLACK = "slack"
    WEBSOCKET = "websocket"
    WEBHOOK = "webhook"
    APPRISE = "apprise"


class Level(StrEnum):
    """How much it matters. What is critical passes through quiet hours."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes along with a mail."""

    name: str
    media_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press, that leads to a page. Its URL is a secret: whoever has it can do what the label says."""

    label: str
    url: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Message:
    """One delivery, rendered. `id` is the delivery's: every attempt carries it as its idempotency key."""

    id: UUID
    channel: Channel
    to: str = field(repr=False)  # a mail address, a phone number, a device token, a URL: as the channel has it
    text: str = field(repr=False)
    subject: str | None = None  # of a mail; the title, where the channel has one
    html: str | None = field(default=None, repr=False)
    name: str | None = None  # of the person
    level: Level = Level.INFO
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)  # what a webhook or a push carries, too
    unsubscribe_url: str | None = field(default=None, repr=False)  # where the category allows it
    attachments: tuple[Attachment, ...] = ()
    buttons: tuple[Button, ...] = ()  # of a mail they are among its words already
    secret: str | None = field(default=None, repr=False)  # of the address: what a webhook is signed with
    link: str | None = field(default=None, repr=False)  # this recipient's own, among its words already
    thread: str | None = None  # what it is about: where it can, it takes the place of what was said of that before

    @property
    def key(self) -> str:
        return str(self.id)


class Blame(StrEnum):
    """Where the cause of a passing failure lies."""

    PROVIDER = "provider"  # it would have failed for whoever came next: counts towards opening the circuit
    ADDRESS = "address"  # this address, endpoint or mailbox alone


@dataclass(frozen=True, slots=True)
class Sent:
    """The provider took it. `receipt` is its own id for it; `detail` what else is worth keeping."""

    receipt: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Deferred:
    """Not sent, for a reason that may pass: to be tried again, not before `after` where the provider said so."""

    reason: str
    after: timedelta | None = None
    blame: Blame = Blame.PROVIDER


@dataclass(frozen=True, slots=True)
class Rejected:
    """Not sent, and never will be. `gone`: the address itself is no more, and should not be used again."""

    reason: str
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """It may have been sent: the connection broke, or time ran out, between the request and its answer."""

    reason: str
    blame: Blame = Blame.PROVIDER


Outcome: TypeAlias = Sent | Deferred | Rejected | Unknown


class Adapter(Protocol):
    """Sends over one channel through one provider. Never raises for what the provider or the network does."""

    async def send(self, message: Message) -> Outcome: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """What an HTTP server answered. `whole` is false where the body went on beyond the limit, the deadline or a break:

    the status had come by then, and counts.
    """

    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes
    whole: bool = True


class Http(Protocol):
    """Outgoing HTTP: the only way out for an adapter that speaks it. One total deadline, no redirects, guarded."""

    async def request(
        self, method: str, url: str, *, headers: Mapping[str, str], body: bytes
    ) -> Answer | Deferred | Rejected | Unknown:
        """An answer of whatever status, or why there is none.

        `Rejected`: the address is not allowed, or no URL. `Deferred`: nothing was sent (name not found, connection
        refused, TLS not acceptable). `Unknown`: the request was sent, or may have been, and no whole answer came.
        """
        ...
