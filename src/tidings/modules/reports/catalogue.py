"""The types of reports that there are: a file each, with the figures and the table that it is made of."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True)
class Figure:
    """One number, under a label."""

    label: str
    sql: str


@dataclass(frozen=True)
class ReportType:
    """Its statements take the period that it is of: `$1` is when that began, `$2` when it ended."""

    id: str
    name: str
    description: str
    figures: Sequence[Figure]
    table: str


@lru_cache(maxsize=1)
def report_types() -> Mapping[str, ReportType]:
    """By their ids, in the order of their names."""
    folder = files("tidings.modules.reports") / "types"
    found = [_read(each.read_text()) for each in folder.iterdir() if each.name.endswith(".toml")]
    return {each.id: each for each in sorted(found, key=lambda each: each.name)}


def _read(text: str) -> ReportType:
    given = tomllib.loads(text)
    figures = tuple(Figure(each["label"], each["sql"]) for each in given["figures"])
    return ReportType(given["id"], given["name"], given["description"], figures, given["table"]["sql"])
