"""Whether a delivery is still to be sent, decided when it is about to be: plain functions, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Protocol, TypeAlias
from zoneinfo import ZoneInfo

from tidings.spine.channels.port import Channel, Level
from tidings.spine.notify.people.quiet import quiet_until

_NEVER_DISTURBS = (Channel.WEBSOCKET, Channel.WEBHOOK)  # a screen that is open anyway, a program


class Standing(Protocol):
    """What is known, at this moment, of a delivery that is about to be sent."""

    @property
    def channel(self) -> Channel: ...
    @property
    def level(self) -> Level: ...
    @property
    def category(self) -> str: ...
    @property
    def now(self) -> datetime: ...
    @property
    def expired(self) -> bool: ...
    @property
    def last_error(self) -> str | None: ...
    @property
    def closed(self) -> str | None: ...
    @property
    def person_there(self) -> bool: ...
    @property
    def left(self) -> str | None: ...
    @property
    def address_there(self) -> bool: ...
    @property
    def disabled(self) -> str | None: ...
    @property
    def suppressed(self) -> str | None: ...
    @property
    def refused(self) -> tuple[str, str] | None: ...
    @property
    def timezone(self) -> str | None: ...
    @property
    def quiet(self) -> tuple[time, time] | None: ...


@dataclass(frozen=True, slots=True)
class Go:
    """Nothing stands against it."""


@dataclass(frozen=True, slots=True)
class Skip:
    """It is not wanted any more, for good."""

    reason: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Not now: it is looked at again then."""

    delay: timedelta
    reason: str


@dataclass(frozen=True, slots=True)
class TooLate:
    """Its time is over, and it was never sent."""

    reason: str


Verdict: TypeAlias = Go | Skip | Wait | TooLate


def wanted(it: Standing) -> Verdict:
    """The first of these that holds: closed, nobody there, left, no address, suppressed, refused, too late, quiet."""
    if (reason := _unwanted(it)) is not None:
        return Skip(reason)
    if it.expired:
        last = f"; the last attempt: {it.last_error}" if it.last_error else ""
        return TooLate(f"it could not be sent in time{last}")
    return _disturbing(it)


def _unwanted(it: Standing) -> str | None:
    if it.closed is not None:
        return f"the notice was closed: {it.closed}"
    if not it.person_there:
        return "the person is not there any more"
    if it.left is not None:
        return f"the person is not subscribed to {it.left!r} any more"
    if not it.address_there:
        return "the address is not there any more"
    if it.disabled is not None:
        return f"the address is not used any more: {it.disabled}"
    if it.suppressed is not None:
        return f"the address is on the suppression list ({it.suppressed})"
    if it.refused is not None:
        return _refusal(*it.refused)
    return None


def _refusal(category: str, channel: str) -> str:
    what = "anything" if category == "*" else repr(category)
    how = "" if channel == "*" else f" by {channel}"
    return f"the person does not want {what}{how}"


def _disturbing(it: Standing) -> Go | Wait:
    if it.quiet is None or it.level is Level.CRITICAL or it.channel in _NEVER_DISTURBS:
        return Go()
    zone = it.timezone or "UTC"
    until = quiet_until(it.now, zone, *it.quiet)
    if until is None:
        return Go()
    return Wait(until - it.now, f"quiet hours until {until.astimezone(ZoneInfo(zone)):%H:%M} ({zone})")
