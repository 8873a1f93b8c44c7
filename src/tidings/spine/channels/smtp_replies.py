"""What the replies of a mail server mean, by the step at which they come."""

from __future__ import annotations

import re
from enum import StrEnum

from tidings.spine.channels.answers import in_short
from tidings.spine.channels.port import Blame, Deferred, Rejected

_ENHANCED = re.compile(r"\s*(?P<code>[245]\.\d{1,3}\.\d{1,3})\b")
_GONE = frozenset({"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"})
_NO_SUCH_MAILBOX = frozenset({550, 551, 553})
_POLICY = re.compile(r"relay|spam|polic|block|denied|authent|reputation", re.IGNORECASE)  # also said with a 550
_CREDENTIALS = frozenset({530, 534, 535, 538})
_CLOSING = 421
_TOO_LARGE = frozenset({552, 523})


class Step(StrEnum):
    GREETING = "greeting"
    SENDER = "sender"
    RECIPIENT = "recipient"
    CONTENT = "content"


def outcome_of_reply(step: Step, code: int, text: str) -> Deferred | Rejected:
    """What a refusal means. A server that refuses us or our sender would refuse the next mail too: its own matter."""
    reason = in_short(f"{step}: answered {code}", text)
    if code in _CREDENTIALS:
        return Deferred(in_short(f"credentials refused ({code})", text))
    if step is Step.GREETING or code == _CLOSING:
        return Deferred(reason)
    if 400 <= code < 500:
        return Deferred(reason, blame=Blame.ADDRESS if step is Step.RECIPIENT else Blame.PROVIDER)
    if step is Step.SENDER and code not in _TOO_LARGE:
        return Deferred(reason)
    return Rejected(reason, gone=_is_gone(step, code, text))


def _is_gone(step: Step, code: int, text: str) -> bool:
    enhanced = _ENHANCED.match(text)
    if enhanced is not None:
        return enhanced["code"] in _GONE and step is not Step.SENDER
    return step is Step.RECIPIENT and code in _NO_SUCH_MAILBOX and not _POLICY.search(text)
