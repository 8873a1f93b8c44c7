"""Links that stand for somebody without a login: made when a page or a mail is, and kept nowhere.

`JOIN` is the event's own, for whoever gets hold of it. `CONFIRM` and `PERSONAL` are one person's, and good for the
event and that person alone: whoever has them holds the mailbox that they were sent to.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from tidings.kit.crypto import Keyring, Unsealable
from tidings.kit.tokens import Tokens

JOIN = "event-join"
CONFIRM = "event-confirm"
PERSONAL = "event"
PATH = "/guest"
PURPOSE = "event links"
_PLACES = {JOIN: "join", CONFIRM: "confirm", PERSONAL: "event"}
_NOBODY = UUID(int=0)
_ID_BYTES = 16
_BETWEEN = "\x00"


@dataclass(frozen=True)
class Link:
    kind: str
    tenant: str
    event_id: int
    person_id: UUID = _NOBODY


@dataclass(frozen=True)
class EventLinks:
    """Writes and reads links; the same one for the same person and event, every time."""

    tokens: Tokens
    public_url: str

    def url(self, link: Link) -> str:
        names = _BETWEEN.join((link.kind, link.tenant, str(link.event_id)))
        return (
            f"{self.public_url}{PATH}/{_PLACES[link.kind]}/{self.tokens.write(link.person_id.bytes + names.encode())}"
        )

    def read(self, kind: str, token: str) -> Link | None:
        """None for whatever is not one of our tokens, or one for something else."""
        try:
            value = self.tokens.read(token)
        except Unsealable:
            return None
        found, tenant, event_id = value[_ID_BYTES:].decode().split(_BETWEEN)
        return Link(found, tenant, int(event_id), UUID(bytes=value[:_ID_BYTES])) if found == kind else None


def open_event_links(keyring: Keyring, public_url: str) -> EventLinks:
    return EventLinks(Tokens(keyring, PURPOSE), public_url)
