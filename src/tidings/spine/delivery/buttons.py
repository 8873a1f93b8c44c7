"""The buttons of a message by which whoever gets it can act: for mails and Slack, which lead to a page."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeAlias

from tidings.spine.channels.port import Button, Channel
from tidings.spine.delivery.table import Delivery
from tidings.spine.notify.matters.links import ActionLink, ActionLinks, end_of, offered
from tidings.spine.notify.matters.words import spoken, words_of

_CHANNELS = (Channel.EMAIL, Channel.SLACK)

MakeButtons: TypeAlias = Callable[[Delivery, Collection[str], str | None], tuple[Button, ...]]
"""Makes the buttons of a delivery, by what can be done about its notice and the language that it is said in. It is
called each time the message is composed: the same again."""


@dataclass(frozen=True)
class ActionButtons:
    links: ActionLinks

    def of(self, delivery: Delivery, possible: Collection[str], said_in: str | None) -> tuple[Button, ...]:
        """In the person's language, else in that of the notice. None on other channels: what they carry is for
        programs too, and goes through more hands."""
        if not possible or delivery.channel not in _CHANNELS:
            return ()
        labels = words_of(spoken(delivery.locale, said_in)).buttons
        until = end_of(delivery.due_at, delivery.now)
        return tuple(
            Button(
                labels[action],
                self.links.url(ActionLink(delivery.tenant, delivery.notification_id, delivery.id, action, until)),
            )
            for action in offered(possible)
        )
