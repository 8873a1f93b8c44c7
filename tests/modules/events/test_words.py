"""What people are told of an event, by offset, language and clock."""

from __future__ import annotations

from typing import Any

import pytest

from tidings.modules.events import words
from tidings.modules.events.words import Reader

EVENT: dict[str, Any] = {
    "name": "Picnic {x} %s",
    "location": "The park",
    "description": None,
    "startsAt": "2026-10-25T00:30:00Z",
    "endsAt": None,
    "timezone": "Europe/Rome",
}
ROME = Reader("en", "Europe/Rome")


@pytest.mark.parametrize(
    ("offset", "reader", "title"),
    [
        (86_400, ROME, "Picnic {x} %s is tomorrow"),
        (3_600, ROME, "Picnic {x} %s starts in 1 hour"),
        (1_800, ROME, "Picnic {x} %s starts in 30 minutes"),
        (5_400, ROME, "Picnic {x} %s starts in 1 hour, 30 minutes"),
        (7 * 86_400, ROME, "Picnic {x} %s starts in 7 days"),
        (90_061, ROME, "Picnic {x} %s starts in 1 day, 1 hour"),
        (1, ROME, "Picnic {x} %s starts in 1 second"),
        (0, ROME, "Picnic {x} %s starts now"),
        (None, ROME, "Reminder: Picnic {x} %s"),
        (86_400, Reader("it-CH", "Europe/Rome"), "Picnic {x} %s è domani"),
        (7_200, Reader("de-AT", "Europe/Rome"), "Picnic {x} %s: noch 2 Stunden"),
        (1_800, Reader("ja", "Asia/Tokyo"), "Picnic {x} %s starts in 30 minutes"),
    ],
)
def test_a_reminder_is_worded_by_its_offset(offset: int | None, reader: Reader, title: str) -> None:
    assert words.reminder(EVENT, offset, reader).title == title


@pytest.mark.parametrize(
    ("zone", "when"),
    [
        ("Europe/Rome", "Sunday 25 October 2026, 02:30 (Europe/Rome)"),
        ("Asia/Kathmandu", "Sunday 25 October 2026, 06:15 (Asia/Kathmandu)"),
        ("Australia/Lord_Howe", "Sunday 25 October 2026, 11:30 (Australia/Lord_Howe)"),
        ("America/New_York", "Saturday 24 October 2026, 20:30 (America/New_York)"),
    ],
)
def test_the_start_is_by_the_readers_clock_which_is_named(zone: str, when: str) -> None:
    body = words.reminder(EVENT, 3_600, Reader("en", zone)).body
    assert f"When: {when}\nWhere: The park" in body


def test_who_has_no_clock_hears_the_events_own() -> None:
    reader = words.reader_of({"locale": None, "timezone": None, "event": EVENT})
    assert (reader.locale, reader.timezone) == ("en", "Europe/Rome")


def test_an_update_says_what_changed_and_nothing_else() -> None:
    event = EVENT | {"endsAt": "2026-10-25T03:30:00Z", "location": None, "description": "New"}
    every = {"name": 1, "startsAt": 1, "endsAt": 1, "location": 1, "description": 1}
    assert words.update(event, every).body == (
        "What has changed:\n• Name: Picnic {x} %s\n• Start: Sunday 25 October 2026, 02:30 (Europe/Rome)\n"
        "• End: Sunday 25 October 2026, 04:30 (Europe/Rome)\n• Location: none any more\n• The description is new."
    )
    assert words.update(event, {"endsAt": None}).body == (
        "What has changed:\n• End: Sunday 25 October 2026, 04:30 (Europe/Rome)"
    )
    assert words.update(EVENT, {"endsAt": None}).body == "What has changed:\n• End: open"


def test_every_language_has_every_sentence() -> None:
    for language in ("en", "de", "it"):
        reader = Reader(language, "UTC")
        for offset in (None, 0, 60, 3_600, 86_400):
            said = words.reminder(EVENT, offset, reader)
            assert "Picnic {x} %s" in said.title
            assert "{" not in said.body.replace("{x}", "")
