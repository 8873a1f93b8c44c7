"""A program of somebody else's, on the same broker: `pika` and nothing of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pika  # type: ignore[import-untyped]
from pika.adapters.blocking_connection import BlockingChannel  # type: ignore[import-untyped]


@dataclass(frozen=True)
class Message:
    key: str
    properties: pika.BasicProperties
    body: Any


@contextmanager
def channel_to(url: str) -> Iterator[BlockingChannel]:
    connection = pika.BlockingConnection(pika.URLParameters(url))
    try:
        yield connection.channel()
    finally:
        connection.close()


def bind(channel: BlockingChannel, queue: str, key: str = "#", **arguments: Any) -> None:
    """A queue of its own on the stream. Whoever comes first declares the exchange; both declare the same."""
    channel.exchange_declare("event-stream", "topic", durable=True)
    channel.queue_declare(queue, durable=True, arguments=arguments or None)
    channel.queue_bind(queue, "event-stream", key)


def taken(channel: BlockingChannel, queue: str) -> list[Message]:
    """All that is in the queue, acknowledged."""
    found: list[Message] = []
    while True:
        method, properties, body = channel.basic_get(queue, auto_ack=True)
        if method is None:
            return found
        found.append(Message(method.routing_key, properties, json.loads(body)))


def depth(channel: BlockingChannel, queue: str) -> int:
    """How many messages are ready to be taken."""
    count: int = channel.queue_declare(queue, passive=True).method.message_count
    return count
