"""What a person wants to hear, and where: the closest preference counts. Once in Python, to be told in words, and once
in SQL, for many people at a time; a test holds them to the same answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ALL = "*"

CLOSEST_PREFERENCE = """(
    SELECT preference.wanted FROM tidings.preferences preference
    WHERE preference.person_id = {person} AND preference.category IN ({category}, '*')
        AND preference.channel IN ({channel}, '*')
    ORDER BY preference.category <> '*' DESC, preference.channel <> '*' DESC LIMIT 1)"""
"""To be formatted with three SQL expressions. NULL where the person has said nothing about it, which means yes; whether
the category is required is asked beside it. A category may be NULL: then only what is said of all counts."""


@dataclass(frozen=True)
class Preference:
    """What is wanted of a category on a channel; `*` is every one."""

    category: str
    channel: str
    wanted: bool


@dataclass(frozen=True)
class Verdict:
    """Whether something is wanted, and which preference said so; None where it was no preference."""

    wanted: bool
    reason: str
    preference: Preference | None = None


def wanted(preferences: Sequence[Preference], category: str | None, channel: str, required: bool) -> Verdict:
    """Category and channel, then category, then channel, then all; without any, yes. What is required is wanted."""
    if required:
        return Verdict(True, f"the category {category} is required, and cannot be turned off")
    matching = [p for p in preferences if p.category in (category, ALL) and p.channel in (channel, ALL)]
    if not matching:
        return Verdict(True, f"no preference speaks of {_named(category or ALL, channel)}")
    closest = max(matching, key=lambda p: (p.category != ALL, p.channel != ALL))
    return Verdict(closest.wanted, _said(closest), closest)


def _said(preference: Preference) -> str:
    about = _named(preference.category, preference.channel)
    return f"the person's preference for {about} is {'on' if preference.wanted else 'off'}"


def _named(category: str, channel: str) -> str:
    of_category = "every category" if category == ALL else f"the category {category}"
    on_channel = "every channel" if channel == ALL else f"the channel {channel}"
    return f"{of_category} on {on_channel}"
