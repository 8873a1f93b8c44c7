"""What we declare at the broker: two exchanges, and a durable queue for whatever of ours is told by messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tidings.kit.errors import Misconfigured

if TYPE_CHECKING:
    from aio_pika.abc import AbstractChannel

FACTS = "event-stream"
"""The topic exchange that every fact goes to, whole; its type is the routing key."""
SENDS = "notification-channel-send"
"""The direct exchange that ids of deliveries go to; their channel is the routing key."""
_LONGEST_NAME = 255  # bytes, in AMQP


@dataclass(frozen=True)
class Queue:
    """A durable queue of ours: what it is bound to, and the kind of the rows that its messages name."""

    name: str
    exchange: str
    keys: tuple[str, ...]
    kind: str

    def __post_init__(self) -> None:
        if len(self.name.encode()) > _LONGEST_NAME:
            raise Misconfigured(f"the queue {self.name!r} would have more than {_LONGEST_NAME} bytes; shorten its name")


def binding_of(pattern: str) -> str:
    """The binding key for a type, or for all that begin with what is before its `*`. It may let through more than is
    meant, never less: `order.pa*` is bound as `order.#`, and a message that names no row is dropped."""
    if not pattern.endswith("*"):
        return pattern
    whole_words = pattern[:-1].rpartition(".")[0]
    return f"{whole_words}.#" if whole_words else "#"


def is_bound(keys: Iterable[str], type: str) -> bool:
    """Whether facts of this type reach a queue with these binding keys."""
    return any(type == key or (key.endswith("#") and type.startswith(key[:-1])) for key in keys)


async def declare(channel: AbstractChannel, queues: Iterable[Queue]) -> None:
    """Declares all that is not there, and changes nothing of what is. Fails where something of that name differs."""
    exchanges = {
        FACTS: await channel.declare_exchange(FACTS, "topic", durable=True),
        SENDS: await channel.declare_exchange(SENDS, "direct", durable=True),
    }
    for queue in queues:
        declared = await channel.declare_queue(queue.name, durable=True)
        for key in queue.keys:
            await declared.bind(exchanges[queue.exchange], key)
