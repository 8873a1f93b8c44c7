"""Slack, through incoming webhooks. The address is the webhook's URL, and as secret as a password.

Slack does not deduplicate, so an attempt without an answer is not repeated by itself. Its answers are single words:
a webhook, channel or workspace that is no more is gone; what an administrator forbids, and a message that Slack
cannot read, is rejected; everything else waits. Whatever passes is blamed on the address alone, since each has limits
of its own. Words that are not in the table are not repeated: whoever set the address up chose who answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tidings.spine.channels.answers import blaming_the_address, retry_after
from tidings.spine.channels.port import Answer, Blame, Channel, Http, Message, Outcome, Sent, Unknown
from tidings.spine.channels.registry import Config, Outside, ProviderType
from tidings.spine.channels.verdicts import Verdict, of_status, outcome_of

_LONGEST_HEADER = 150
_LONGEST_SECTION = 3_000
_LONGEST_LABEL = 75
_WORDS: Mapping[str, Verdict] = {
    "action_prohibited": Verdict.REJECTED,
    "channel_is_archived": Verdict.REJECTED,
    "channel_not_found": Verdict.GONE,
    "invalid_blocks": Verdict.REJECTED,
    "invalid_payload": Verdict.REJECTED,
    "invalid_token": Verdict.GONE,
    "no_active_hooks": Verdict.GONE,
    "no_service": Verdict.GONE,
    "no_service_id": Verdict.GONE,
    "no_team": Verdict.GONE,
    "no_text": Verdict.REJECTED,
    "posting_to_general_channel_denied": Verdict.REJECTED,
    "rollup_error": Verdict.WAIT_FOR_ADDRESS,
    "team_disabled": Verdict.GONE,
    "too_many_attachments": Verdict.REJECTED,
    "user_not_found": Verdict.GONE,
}


class SlackConfig(Config):
    """Nothing: all that is needed is in the address."""


@dataclass(frozen=True)
class Slack:
    http: Http
    now: Callable[[], datetime]

    async def send(self, message: Message) -> Outcome:
        body = json.dumps(body_of(message)).encode()
        answer = await self.http.request("POST", message.to, headers={"Content-Type": "application/json"}, body=body)
        return outcome(answer, self.now()) if isinstance(answer, Answer) else blaming_the_address(answer)

    async def close(self) -> None:
        """Holds nothing open."""


def body_of(message: Message) -> dict[str, Any]:
    """A header, a section and buttons for people, and a plain text for where Slack shows no blocks."""
    section = {"type": "section", "text": {"type": "mrkdwn", "text": _cut(escaped(message.text), _LONGEST_SECTION)}}
    if not message.subject:
        return {"text": escaped(message.text), "blocks": [section, *_actions(message)]}
    header = {"type": "header", "text": {"type": "plain_text", "text": _cut(message.subject, _LONGEST_HEADER)}}
    text = escaped(f"{message.subject}\n{message.text}")
    return {"text": text, "blocks": [header, section, *_actions(message)]}


def _actions(message: Message) -> list[dict[str, Any]]:
    """Links that look like buttons, the first as the one that most come for. None: no block, for one may not be empty.

    Slack tells an app of each press as well, and shows a warning beside the button where no app answers; the link is
    opened all the same.
    """
    buttons: list[dict[str, Any]] = [
        {
            "type": "button",
            "action_id": f"link-{number}",
            "text": {"type": "plain_text", "text": _cut(button.label, _LONGEST_LABEL)},
            "url": button.url,
        }
        for number, button in enumerate(message.buttons)
    ]
    if not buttons:
        return []
    buttons[0]["style"] = "primary"
    return [{"type": "actions", "elements": buttons}]


def escaped(text: str) -> str:
    """Text in which Slack sees no links, mentions or entities."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cut(text: str, longest: int) -> str:
    """At most so long, and not in the middle of an entity."""
    if len(text) <= longest:
        return text or " "
    kept = text[: longest - 1]
    start = kept.rfind("&", len(kept) - 5)
    whole = start == -1 or ";" in kept[start:]
    return (kept if whole else kept[:start]) + "…"


def outcome(answer: Answer, now: datetime) -> Outcome:
    """What Slack's answer means."""
    word = answer.body[:100].decode("utf-8", "replace").strip()
    if word in _WORDS:
        return outcome_of(_WORDS[word], f"Slack: {word}", retry_after(answer.headers, now))
    if 200 <= answer.status < 300:
        not_ok = Unknown(f"Slack answered {answer.status}, but not with ok.", Blame.ADDRESS)
        return Sent() if word == "ok" else not_ok
    if answer.status in (404, 410):
        return outcome_of(Verdict.GONE, f"Slack: {answer.status}")
    verdict = of_status(answer.status)
    waiting = Verdict.WAIT_FOR_ADDRESS if verdict is Verdict.WAIT else verdict
    return outcome_of(waiting, f"Slack: {answer.status}", retry_after(answer.headers, now))


def _build(_: SlackConfig, outside: Outside) -> Slack:
    return Slack(outside.http, outside.now)


PROVIDER = ProviderType("slack", frozenset({Channel.SLACK}), SlackConfig, _build, safe_to_resend=False)
