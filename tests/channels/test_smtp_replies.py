from __future__ import annotations

import pytest

from tidings.spine.channels.port import Blame, Deferred, Rejected
from tidings.spine.channels.smtp_replies import Step, outcome_of_reply

PROVIDER, ADDRESS = Blame.PROVIDER, Blame.ADDRESS


@pytest.mark.parametrize(
    ("step", "code", "text", "blame"),
    [
        (Step.GREETING, 421, "too busy", PROVIDER),
        (Step.GREETING, 554, "we do not talk to you", PROVIDER),
        (Step.GREETING, -1, "nonsense", PROVIDER),
        (Step.SENDER, 451, "4.3.0 try again", PROVIDER),
        (Step.SENDER, 530, "5.7.0 authenticate first", PROVIDER),
        (Step.SENDER, 550, "5.7.1 you may not send as this", PROVIDER),
        (Step.RECIPIENT, 421, "closing", PROVIDER),
        (Step.RECIPIENT, 450, "4.2.0 greylisted", ADDRESS),
        (Step.RECIPIENT, 451, "4.7.1 greylisted", ADDRESS),
        (Step.RECIPIENT, 452, "4.2.2 mailbox full", ADDRESS),
        (Step.RECIPIENT, 535, "5.7.8 no", PROVIDER),
        (Step.CONTENT, 421, "closing", PROVIDER),
        (Step.CONTENT, 451, "4.3.0 local trouble", PROVIDER),
    ],
)
def test_what_may_pass_is_deferred(step: Step, code: int, text: str, blame: Blame) -> None:
    found = outcome_of_reply(step, code, text)
    assert isinstance(found, Deferred)
    assert found.blame is blame


@pytest.mark.parametrize(
    ("step", "code", "text", "gone"),
    [
        (Step.SENDER, 552, "5.3.4 too large", False),
        (Step.RECIPIENT, 550, "5.1.1 no such user", True),
        (Step.RECIPIENT, 550, "5.1.10 no mail at this domain", True),
        (Step.RECIPIENT, 550, "5.2.1 mailbox disabled", True),
        (Step.RECIPIENT, 551, "user not local", True),
        (Step.RECIPIENT, 553, "mailbox name not allowed", True),
        (Step.RECIPIENT, 550, "no such mailbox", True),
        (Step.RECIPIENT, 550, "5.7.1 relaying denied", False),
        (Step.RECIPIENT, 550, "relaying denied", False),
        (Step.RECIPIENT, 550, "blocked for spam", False),
        (Step.RECIPIENT, 552, "5.2.2 mailbox full", False),
        (Step.RECIPIENT, 554, "5.7.1 not wanted", False),
        (Step.CONTENT, 554, "5.7.1 spam", False),
        (Step.CONTENT, 550, "no", False),
        (Step.CONTENT, 550, "5.1.1 no such user", True),
        (Step.CONTENT, 552, "5.3.4 too large", False),
    ],
)
def test_what_will_not_pass_is_rejected(step: Step, code: int, text: str, gone: bool) -> None:
    found = outcome_of_reply(step, code, text)
    assert isinstance(found, Rejected)
    assert found.gone is gone


def test_a_reason_is_short_and_printable() -> None:
    reason = outcome_of_reply(Step.CONTENT, 554, "\x1b[31m" + "no " * 1_000).reason
    assert len(reason) <= 300
    assert reason.isprintable()
