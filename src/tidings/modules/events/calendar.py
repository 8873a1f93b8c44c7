"""Events as calendars read them (RFC 5545): one event as it goes along with a mail, or all of a person's as a feed.

The UID of an event stays; its SEQUENCE is raised by every change that a calendar must know of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, Timezone, vCalAddress, vText

MEDIA_TYPE = "text/calendar"
FILE_NAME = "event.ics"
_PRODUCT = "-//Tidings//Events//EN"
_NO_ADDRESS = "invalid:nomail"  # an organiser is named, and not by an address: whoever reads this may be anybody
_REFRESH = timedelta(hours=1)


class Method(StrEnum):
    PUBLISH = "PUBLISH"
    CANCEL = "CANCEL"


def one_event(event: Mapping[str, Any], organiser: str | None = None) -> str:
    """A calendar with one event, as its snapshot has it; one that is cancelled takes itself out of calendars."""
    cancelled = event["status"] == "cancelled"
    return _text(_calendar([event], Method.CANCEL if cancelled else Method.PUBLISH, {event["id"]: organiser}))


def feed(name: str, events: Iterable[Mapping[str, Any]], organisers: Mapping[int, str | None]) -> str:
    """All events of somebody, to be read again and again; those that are cancelled say so."""
    calendar = _calendar(list(events), Method.PUBLISH, organisers)
    calendar.add("x-wr-calname", name)
    calendar.add("name", name)
    calendar.add("refresh-interval", _REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    return _text(calendar)


def media_type(event: Mapping[str, Any]) -> str:
    method = Method.CANCEL if event["status"] == "cancelled" else Method.PUBLISH
    return f"{MEDIA_TYPE}; method={method}; charset=utf-8"


def _calendar(events: list[Mapping[str, Any]], method: Method, organisers: Mapping[int, str | None]) -> Calendar:
    calendar = Calendar()
    calendar.add("prodid", _PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", method.value)
    for zone in sorted({event["timezone"] for event in events}):
        if zone != "UTC":
            years = [_moment(event[end]).year for event in events for end in ("startsAt", "endsAt") if event[end]]
            calendar.add_component(_zone(zone, min(years) - 1, max(years) + 2))
    for event in events:
        calendar.add_component(_event(event, organisers.get(event["id"])))
    return calendar


def _event(event: Mapping[str, Any], organiser: str | None) -> Event:
    component = Event()
    component.add("uid", f"{event['uid']}@tidings")
    component.add("sequence", event["sequence"])
    component.add("dtstamp", _moment(event["updatedAt"]))
    component.add("created", _moment(event["createdAt"]))
    component.add("last-modified", _moment(event["updatedAt"]))
    component.add("dtstart", _local(event["startsAt"], event["timezone"]))
    if event["endsAt"]:
        component.add("dtend", _local(event["endsAt"], event["timezone"]))
    component.add("summary", event["name"])
    for name in ("description", "location"):
        if event[name]:
            component.add(name, event[name])
    component.add("status", "CANCELLED" if event["status"] == "cancelled" else "CONFIRMED")
    component.add("organizer", _organiser(organiser))
    return component


def _organiser(name: str | None) -> vCalAddress:
    address = vCalAddress(_NO_ADDRESS)
    if name:
        address.params["CN"] = vText(name)
    return address


@lru_cache(maxsize=500)
def _zone(name: str, first: int, last: int) -> Timezone:
    """How a timezone's clocks go over these years, for calendars that do not know it by its name."""
    return Timezone.from_tzinfo(ZoneInfo(name), name, date(first, 1, 1), date(last, 1, 1))


def _local(moment: str, zone: str) -> datetime:
    """By the event's clock. In the hour that repeats, a calendar takes a time by the clock for the first one: the
    second is written by UTC, which has it once."""
    at = _moment(moment)
    local = at.astimezone(ZoneInfo(zone))
    return at if local.fold or zone == "UTC" else local


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(microsecond=0)


def _text(calendar: Calendar) -> str:
    written: bytes = calendar.to_ical()
    return written.decode()
