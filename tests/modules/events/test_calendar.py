"""Events as calendars read them, by a parser that is not ours."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from icalendar import Calendar

from tidings.modules.events.calendar import feed, media_type, one_event

EVENT: dict[str, Any] = {
    "id": 7,
    "uid": "3f8a1b1e-0000-4000-8000-000000000001",
    "name": "Gala, with; signs\\ and “quotes”",
    "description": "Two\nlines\r\nand a very long one " + "x" * 200,
    "location": "Via Roma 1, Milano",
    "startsAt": "2027-03-28T00:30:00Z",
    "endsAt": "2027-10-31T03:00:00Z",
    "timezone": "Europe/Rome",
    "sequence": 3,
    "status": "active",
    "createdAt": "2026-11-01T10:00:00.123456Z",
    "updatedAt": "2026-11-02T10:00:00Z",
}


def parsed(text: str) -> Any:
    return Calendar.from_ical(text)


def event_in(text: str) -> Any:
    (event,) = parsed(text).walk("VEVENT")
    return event


@pytest.mark.parametrize("zone", ["Europe/Rome", "Australia/Lord_Howe", "Asia/Kathmandu", "America/New_York", "UTC"])
@pytest.mark.parametrize(
    "start",
    [
        "2027-01-15T17:00:00Z",
        "2027-07-15T17:00:00Z",
        "2027-03-28T00:59:59Z",  # a second before Rome's clocks go forward
        "2027-03-28T01:00:00Z",
        "2027-10-31T00:30:00Z",  # the hour that Rome has twice: the first time
        "2027-10-31T01:30:00Z",  # and the second
        "2027-04-03T14:45:00Z",  # Lord Howe's half hour that comes twice
        "2027-04-03T15:10:00Z",
    ],
)
def test_the_start_is_the_same_moment_for_every_parser(zone: str, start: str) -> None:
    event = event_in(one_event(EVENT | {"timezone": zone, "startsAt": start, "endsAt": None}))
    read = event["dtstart"].dt
    assert read.astimezone(UTC) == datetime.fromisoformat(start)
    assert "dtend" not in event


def test_a_calendar_that_does_not_know_the_zone_is_told_how_its_clocks_go() -> None:
    calendar = parsed(one_event(EVENT))
    (zone,) = calendar.walk("VTIMEZONE")
    assert zone["tzid"] == "Europe/Rome"
    own = zone.to_tz(lookup_tzid=False)
    local = event_in(one_event(EVENT))["dtstart"].dt.replace(tzinfo=None)
    assert local == datetime.fromisoformat("2027-03-28T01:30")
    assert own.utcoffset(datetime.fromisoformat("2027-07-01")).total_seconds() == 7200
    assert own.utcoffset(datetime.fromisoformat("2027-12-01")).total_seconds() == 3600


def test_what_is_said_comes_back_as_it_was() -> None:
    event = event_in(one_event(EVENT, 'Ada "the Countess", L.'))
    assert str(event["summary"]) == EVENT["name"]
    assert str(event["description"]).replace("\r\n", "\n") == EVENT["description"].replace("\r\n", "\n")
    assert str(event["location"]) == EVENT["location"]
    assert event["organizer"].params["CN"].replace("'", '"') == 'Ada "the Countess", L.'
    assert str(event["status"]) == "CONFIRMED"


def test_the_uid_stays_and_the_sequence_is_raised() -> None:
    before, after = event_in(one_event(EVENT)), event_in(one_event(EVENT | {"sequence": 4, "name": "Other"}))
    assert before["uid"] == after["uid"]
    assert (before["sequence"], after["sequence"]) == (3, 4)


def test_one_that_is_cancelled_takes_itself_out() -> None:
    cancelled = EVENT | {"status": "cancelled", "sequence": 5}
    calendar = parsed(one_event(cancelled))
    assert str(calendar["method"]) == "CANCEL"
    assert str(event_in(one_event(cancelled))["status"]) == "CANCELLED"
    assert media_type(cancelled) == "text/calendar; method=CANCEL; charset=utf-8"
    assert str(parsed(one_event(EVENT))["method"]) == "PUBLISH"


def test_nothing_that_is_said_begins_a_line_of_its_own() -> None:
    text = one_event(EVENT | {"name": "x\r\nBEGIN:VALARM", "location": "a\nATTENDEE:mailto:b@c"})
    assert "\r\nBEGIN:VALARM" not in text
    assert "\r\nATTENDEE" not in text
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))


def test_a_feed_has_every_event_and_a_name() -> None:
    others = [EVENT | {"id": n, "uid": f"{n}", "timezone": zone} for n, zone in enumerate(("UTC", "Asia/Tokyo"))]
    calendar = parsed(feed("Acme", others, {0: "Ada"}))
    assert len(calendar.walk("VEVENT")) == 2
    assert [str(zone["tzid"]) for zone in calendar.walk("VTIMEZONE")] == ["Asia/Tokyo"]
    assert str(calendar["x-wr-calname"]) == "Acme"
    assert parsed(feed("Acme", [], {})).walk("VEVENT") == []
