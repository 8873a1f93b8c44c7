"""What a person wants to hear, and where: the closest preference counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Preference:
    """What is wanted of a category on a channel; `*` is every one."""

    category: str
    channel: str
    wanted: bool


def closest_preference(columns: str, person: str, category: str, channel: str) -> str:
    """SQL that selects these columns of the closest one: for category and channel, then category, then channel, then
    all. No row where the person has said nothing about it, which means yes.

    The others are SQL expressions. Whether the category is required is asked beside it. A category may be NULL: then
    only what is said of all counts.
    """
    return f"""SELECT {columns} FROM tidings.preferences preference
        WHERE preference.person_id = {person} AND preference.category IN ({category}, '*')
            AND preference.channel IN ({channel}, '*')
        ORDER BY preference.category = '*', preference.channel = '*' LIMIT 1"""
