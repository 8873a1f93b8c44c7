"""What is said over a socket: JSON, a message a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from pydantic import Field, RootModel

from tidings.api.bodies import Input, checked
from tidings.api.documents.inbox import shown_notification
from tidings.kit.json_input import parse_json
from tidings.kit.json_output import dump
from tidings.spine.notify.announcing import Change
from tidings.spine.notify.notifications import Notification


class Hello(Input):
    """The first message. `after` is the newest notification that the client has, where it comes back."""

    type: Literal["hello"]
    after: UUID | None = Field(None, strict=False)


class Ping(Input):
    """For clients that cannot send the ping of the protocol."""

    type: Literal["ping"]


Said: TypeAlias = Hello | Ping


class _Message(RootModel[Annotated[Said, Field(discriminator="type")]]):
    pass


def understood(text: str) -> Said:
    """What a client said, or `ValidationFailed`."""
    return checked(_Message, parse_json(text.encode("utf-8", "surrogatepass"))).root


def ready(unread: int) -> str:
    return _frame({"type": "ready", "unread": unread})


def notification(of: Notification, unread: int) -> str:
    return _frame({"type": "notification", "data": shown_notification(of), "unread": unread})


def changed(change: Change, ids: Sequence[UUID], unread: int) -> str:
    """Without ids, more than can be named."""
    return _frame({"type": "changed", "change": change, "ids": list(ids) or None, "unread": unread})


def resync() -> str:
    return _frame({"type": "resync"})


def pong() -> str:
    return _frame({"type": "pong"})


def _frame(message: dict[str, Any]) -> str:
    return dump(message).decode()
