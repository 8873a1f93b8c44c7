"""What is said over a socket: JSON, a message a frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from pydantic import Field, RootModel

from tidings.api.bodies import Input, checked
from tidings.api.documents.inbox import shown_notification
from tidings.api.shown.overview import shown_totals
from tidings.kit.json_input import parse_json
from tidings.kit.json_output import dump
from tidings.spine.delivery.overview.movement import Beat
from tidings.spine.notify.announcing import Change
from tidings.spine.notify.notifications import Notification
from tidings.spine.notify.position import WRITTEN, Position

Topic: TypeAlias = Literal["pulse", "changes"]
"""What can be watched beside one's inbox. Whoever watches anything is told what is stale."""


class Hello(Input):
    """The first message. `after` is the last position that the client was told, where it comes back."""

    type: Literal["hello"]
    after: str | None = Field(None, pattern=f"^{WRITTEN}$", max_length=40)
    watch: list[Topic] = Field(default_factory=list, max_length=8)


class Watch(Input):
    """What to watch from now on, instead of what was watched before; nothing to watch no more."""

    type: Literal["watch"]
    watch: list[Topic] = Field(max_length=8)


class Ping(Input):
    """For clients that cannot send the ping of the protocol."""

    type: Literal["ping"]


Said: TypeAlias = Hello | Watch | Ping


class _Message(RootModel[Annotated[Said, Field(discriminator="type")]]):
    pass


def understood(text: str) -> Said:
    """What a client said, or `ValidationFailed`."""
    return checked(_Message, parse_json(text.encode("utf-8", "surrogatepass"))).root


def ready(unread: int | None, position: Position | None) -> str:
    """`unread` and `position` are null on a socket without an inbox."""
    return _frame({"type": "ready", "unread": unread, "position": _shown(position)})


def notification(of: Notification, unread: int | None, position: Position | None) -> str:
    """`position` where this is the last of what was announced until then."""
    return _frame(
        {"type": "notification", "data": shown_notification(of), "unread": unread, "position": _shown(position)}
    )


def updated(of: Notification, unread: int | None, position: Position | None) -> str:
    """One that the client may have: how it is now."""
    return _frame({"type": "updated", "data": shown_notification(of), "unread": unread, "position": _shown(position)})


def changed(change: Change, ids: Sequence[UUID], unread: int, position: Position | None) -> str:
    """Without ids, more than can be named."""
    return _frame(
        {"type": "changed", "change": change, "ids": list(ids) or None, "unread": unread, "position": _shown(position)}
    )


def pulse(beat: Beat) -> str:
    standing = beat.standing
    return _frame(
        {
            "type": "pulse",
            "at": standing.at,
            **beat.moved,
            "waiting": standing.waiting,
            "lagSeconds": standing.lag,
            "totals": shown_totals(standing),
        }
    )


def stale(resources: Iterable[str]) -> str:
    return _frame({"type": "stale", "resources": sorted(resources)})


def resync() -> str:
    return _frame({"type": "resync"})


def pong() -> str:
    return _frame({"type": "pong"})


def _shown(position: Position | None) -> str | None:
    return None if position is None else str(position)


def _frame(message: dict[str, Any]) -> str:
    return dump(message).decode()
