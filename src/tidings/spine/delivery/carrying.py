"""What a message carries beside its words: for programs, and for providers that need more than a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tidings.spine.channels.port import Channel

APPROVED = "whatsapp"
"""The property of a notice that names the template which WhatsApp has approved for it."""


def carried(
    channel: Channel, context: Mapping[str, Any], approved: Any, filled: Callable[[str], str]
) -> dict[str, Any]:
    """`approved` is the property of that name; `filled` renders its texts, or raises `TemplateError`."""
    about = {"fact": context.get("fact"), "data": context["data"]}
    match channel:
        case Channel.WEBHOOK:
            return about | _event(context.get("fact") or {})
        case Channel.WHATSAPP if approved is not None:
            return about | {APPROVED: _filled(approved, filled)}
        case _:
            return about


def _event(fact: Mapping[str, Any]) -> dict[str, Any]:
    """What happened and when: the same in every attempt. Nothing where no fact is the cause."""
    return {"type": fact["type"], "timestamp": fact["occurredAt"]} if fact.get("type") else {}


def _filled(approved: Any, filled: Callable[[str], str]) -> Any:
    """Its texts, and those in its lists and objects, are templates. What is no template of WhatsApp's is refused later,
    where it is known what the provider wants."""
    if not isinstance(approved, Mapping):
        return approved
    return {name: _value(value, filled) for name, value in approved.items()}


def _value(value: Any, filled: Callable[[str], str]) -> Any:
    match value:
        case str():
            return filled(value)
        case list():
            return [filled(each) if isinstance(each, str) else each for each in value]
        case dict():
            return {name: filled(each) if isinstance(each, str) else each for name, each in value.items()}
        case _:
            return value
