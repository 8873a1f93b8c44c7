"""Schedules: when they are due, beside an oracle that walks the minutes of every zone around every change of its clocks
from 2024 to 2030."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo, available_timezones

from tests.chaos.report import Counts
from tests.chaos.waiting import Violated
from tests.chaos.world import World
from tests.modules.reports.agreeing import a_cadence, agree, changes

NAME = "schedules: due as an oracle says that walks the minutes of every zone"
ONLY_AT_LENGTH = True  # a sample is in tests/modules/reports/test_slots.py


@dataclass(frozen=True)
class Size:
    zones: int | None  # so many of those that differ; None: all
    cadences: int  # tried in each window


FULL = Size(zones=None, cadences=12)
SHORT = Size(zones=12, cadences=8)


async def run(world: World, size: Size) -> Counts:
    return await asyncio.to_thread(_walk, world.random, size)


def _walk(dice: random.Random, size: Size) -> Counts:
    distinct: dict[tuple[object, ...], tuple[str, list[datetime]]] = {}
    for name in sorted(available_timezones()):
        zone = ZoneInfo(name)
        days = changes(zone)
        distinct.setdefault((*days, *(day.astimezone(zone).utcoffset() for day in days)), (name, days))
    chosen = list(distinct.values())
    if size.zones is not None:
        chosen = dice.sample(chosen, size.zones)
    tried = 0
    for name, days in chosen:
        for around in days:
            try:
                agree(ZoneInfo(name), around, [a_cadence(dice, around) for _ in range(size.cadences)])
            except AssertionError as error:
                raise Violated(str(error)) from error
            tried += 1
    return {"zones that differ": len(chosen), "windows": tried, "cadences in each": size.cadences}
