"""Whether a delivery is still to be sent, asked when it is about to be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

import pytest

from tidings.spine.channels.port import Channel, Level
from tidings.spine.delivery.wanted import Go, Skip, TooLate, Verdict, Wait, wanted

NIGHT = (time(22, 0), time(7, 0))


@dataclass(frozen=True)
class Known:
    channel: Channel = Channel.EMAIL
    level: Level = Level.INFO
    category: str = "general"
    now: datetime = datetime(2026, 11, 16, 22, 30, tzinfo=UTC)
    expired: bool = False
    last_error: str | None = None
    closed: str | None = None
    person_there: bool = True
    left: str | None = None
    address_there: bool = True
    disabled: str | None = None
    suppressed: str | None = None
    refused: tuple[str, str] | None = None
    timezone: str | None = "Europe/Rome"
    quiet: tuple[time, time] | None = None


QUIET = Wait(timedelta(hours=7, minutes=30), "quiet hours until 07:00 (Europe/Rome)")


@pytest.mark.parametrize(
    ("known", "verdict"),
    [
        (Known(), Go()),
        (Known(closed="handled by the manager"), Skip("the notice was closed: handled by the manager")),
        (Known(person_there=False), Skip("the person is not there any more")),
        (Known(left="event:7"), Skip("the person is not subscribed to 'event:7' any more")),
        (Known(address_there=False), Skip("the address is not there any more")),
        (Known(disabled="410 Gone"), Skip("the address is not used any more: 410 Gone")),
        (Known(suppressed="bounced"), Skip("the address is on the suppression list (bounced)")),
        (Known(refused=("orders", "email")), Skip("the person does not want 'orders' by email")),
        (Known(refused=("*", "*")), Skip("the person does not want anything")),
        (Known(expired=True), TooLate("it could not be sent in time")),
        (Known(expired=True, last_error="503"), TooLate("it could not be sent in time; the last attempt: 503")),
        (Known(expired=True, closed="done"), Skip("the notice was closed: done")),
        (Known(quiet=NIGHT), QUIET),
        (Known(quiet=NIGHT, level=Level.WARNING), QUIET),
        (Known(quiet=NIGHT, level=Level.CRITICAL), Go()),
        (Known(quiet=NIGHT, channel=Channel.WEBSOCKET), Go()),
        (Known(quiet=NIGHT, channel=Channel.WEBHOOK), Go()),
        (Known(quiet=NIGHT, timezone="America/New_York"), Go()),
    ],
)
def test_the_first_reason_that_holds_decides(known: Known, verdict: Verdict) -> None:
    assert wanted(known) == verdict


def test_without_a_timezone_quiet_hours_are_by_utc() -> None:
    known = replace(Known(quiet=NIGHT), timezone=None)
    assert wanted(known) == Wait(timedelta(hours=8, minutes=30), "quiet hours until 07:00 (UTC)")
