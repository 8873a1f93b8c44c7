"""What happens next, from what came of a send."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tidings.spine.channels.port import Deferred, Outcome, Rejected, Sent, Unknown
from tidings.spine.delivery.deciding import Decision, Finish, GiveUp, Hold, OnUnknown, TryAgain, decide

MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("outcome", "on_unknown", "decision"),
    [
        (Sent("r"), OnUnknown.RESEND, Finish()),
        (Sent(None), OnUnknown.HOLD, Finish()),
        (Rejected("no such mailbox"), OnUnknown.RESEND, GiveUp("no such mailbox")),
        (Deferred("busy"), OnUnknown.RESEND, TryAgain("busy", None)),
        (Deferred("busy", MINUTE), OnUnknown.HOLD, TryAgain("busy", MINUTE)),
        (Unknown("reset"), OnUnknown.RESEND, TryAgain("reset", None)),
        (Unknown("reset"), OnUnknown.HOLD, Hold("reset")),
    ],
)
def test_every_outcome_has_one_decision(outcome: Outcome, on_unknown: OnUnknown, decision: Decision) -> None:
    assert decide(outcome, on_unknown) == decision
