"""Slack's incoming webhooks: they know their paths, read JSON, and take blocks within limits."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.channels.servers.http_server import Reply, Request

PATHS = ("/services/T/B/secret", "/services/T/B/other")


def webhook(request: Request) -> Reply:
    if request.target not in PATHS:
        return Reply(404, b"no_service")
    try:
        body = json.loads(request.body)
    except ValueError:
        return Reply(400, b"invalid_payload")
    if not body.get("text"):
        return Reply(400, b"no_text")
    fits = all(_READABLE[block["type"]](block) for block in body["blocks"])
    return Reply(200, b"ok") if fits and len(body["blocks"]) <= 50 else Reply(400, b"invalid_blocks")


def _is_text(text: dict[str, str], type: str, longest: int) -> bool:
    return text["type"] == type and 0 < len(text["text"]) <= longest


def _are_buttons(block: dict[str, list[dict[str, Any]]]) -> bool:
    """One to 25, each with a name of its own, one of them the main one."""
    buttons = block["elements"]
    return (
        len({button["action_id"] for button in buttons}) == len(buttons)
        and 0 < len(buttons) <= 25
        and all(_is_button(button) for button in buttons)
        and sum(button.get("style") == "primary" for button in buttons) <= 1
    )


def _is_button(button: dict[str, Any]) -> bool:
    return (
        button.keys() <= {"type", "text", "action_id", "url", "style"}
        and button["type"] == "button"
        and _is_text(button["text"], "plain_text", 75)
        and 0 < len(button["action_id"]) <= 255
        and 0 < len(button["url"]) <= 3_000
        and button.get("style", "primary") in {"primary", "danger"}
    )


_READABLE: dict[str, Callable[[dict[str, Any]], bool]] = {
    "header": lambda block: _is_text(block["text"], "plain_text", 150),
    "section": lambda block: _is_text(block["text"], "mrkdwn", 3_000),
    "actions": _are_buttons,
}
