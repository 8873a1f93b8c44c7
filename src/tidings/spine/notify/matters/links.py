"""Links that settle a matter: one for each action that takes no more than a click, made when a message is composed and
kept nowhere.

Whoever has one can act in the name of the person whom the message was for, until it ends or somebody has acted.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from tidings.kit.crypto import Keyring, Unsealable
from tidings.kit.tokens import Tokens
from tidings.spine.access.purposes import ACTION_LINKS
from tidings.spine.notify.matters.model import Action

PATH = "/act"
CLICKS = (Action.CONFIRMED, Action.REJECTED, Action.DISMISSED)
"""What takes no more than a click."""
LIFETIME = timedelta(days=7)
"""How long a link is good for."""
_STEP = timedelta(days=1)
_ID_BYTES = 16
_END_BYTES = 8
_BETWEEN = "\x00"


def offered(possible: Collection[str]) -> tuple[Action, ...]:
    """Of what can be done, what a message offers by a click: to say yes, and to say no. What asks for a time or a note
    is for the inbox, and so is dismissing what can be rejected: side by side, one would be taken for the other."""
    no = Action.REJECTED if Action.REJECTED in possible else Action.DISMISSED
    return tuple(action for action in (Action.CONFIRMED, no) if action in possible)


def end_of(due: datetime, now: datetime) -> datetime:
    """When the links of a message end that was due then and is composed now: seven days after it was due, and a day
    later for each whole day that it is late. So a message that is composed again within a day is the same message."""
    return due + LIFETIME + max((now - due) // _STEP, 0) * _STEP


@dataclass(frozen=True)
class ActionLink:
    """What a link is good for: one action on one notification. `delivery_id` is the message that it stood in."""

    tenant: str
    notification_id: UUID
    delivery_id: UUID
    action: Action
    until: datetime

    @property
    def actor(self) -> str:
        """Who acts by it, for the record: not the link, but which message it was in."""
        return f"link:{self.delivery_id}"


@dataclass(frozen=True)
class ActionLinks:
    """Writes and reads links; the same one for the same message, every time."""

    tokens: Tokens
    public_url: str

    def url(self, link: ActionLink) -> str:
        return f"{self.public_url}{PATH}/{self.token(link)}"

    def token(self, link: ActionLink) -> str:
        ids = link.notification_id.bytes + link.delivery_id.bytes
        end = int(link.until.timestamp()).to_bytes(_END_BYTES, "big")
        return self.tokens.write(ids + end + _BETWEEN.join((link.tenant, link.action)).encode())

    def read(self, token: str) -> ActionLink | None:
        """None for whatever is not one of our tokens."""
        try:
            value = self.tokens.read(token)
        except Unsealable:
            return None
        notification, value = value[:_ID_BYTES], value[_ID_BYTES:]
        delivery, value = value[:_ID_BYTES], value[_ID_BYTES:]
        end, names = value[:_END_BYTES], value[_END_BYTES:].decode()
        tenant, action = names.split(_BETWEEN)
        until = datetime.fromtimestamp(int.from_bytes(end, "big"), UTC)
        return ActionLink(tenant, UUID(bytes=notification), UUID(bytes=delivery), Action(action), until)


def open_action_links(keyring: Keyring, public_url: str) -> ActionLinks:
    return ActionLinks(Tokens(keyring, ACTION_LINKS), public_url)
