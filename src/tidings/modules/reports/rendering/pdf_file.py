"""A report as PDF, set by Typst. What it says goes in as data: none of it is read as Typst."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files

import typst

from tidings.modules.reports.rendering.report import Report, heading

MOST_ROWS = 500
"""Of the table. Who wants more of it than twenty pages wants another format."""
_LONGEST = 500  # characters of a cell
_UNBROKEN = re.compile(r"\S{24,}")
_WIDTHS = range(8, 41)  # of a column of words, in characters
_NOT_SHOWN = re.compile("[\0-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def pdf_of(report: Report) -> bytes:
    said = {
        "title": _text(report.title),
        "name": _text(report.name),
        "period": report.period,
        "figures": [[_text(label), _text(report.shown(value))] for label, value in report.figures],
        "columns": [_text(heading(column)) for column in report.columns],
        "widths": _widths(report),
        "rows": [[_text(report.shown(value)) for value in row] for row in report.rows[:MOST_ROWS]],
        "left_out": f"{max(0, len(report.rows) - MOST_ROWS):,}",
        "all": f"{len(report.rows):,}",
    }
    made = typst.compile(_template(), format="pdf", sys_inputs={"report": json.dumps(said)})
    assert isinstance(made, bytes)
    return made


@cache
def _template() -> bytes:
    return (files(__package__) / "report.typ").read_bytes()


def _widths(report: Report) -> list[int]:
    """Their parts of what the columns of numbers leave over; those are none."""
    shown = [report.columns, *([report.shown(value) for value in row] for row in report.rows[:MOST_ROWS])]
    longest = [max(len(row[at]) for row in shown) for at in range(len(report.columns))]
    parts = [min(max(length, _WIDTHS.start), _WIDTHS.stop - 1) for length in longest]
    return [0 if numeric else part for numeric, part in zip(report.numeric, parts, strict=True)]


def _text(value: str) -> str:
    """A long word may be broken anywhere: it would not fit into its column otherwise."""
    shown = _NOT_SHOWN.sub("�", value)
    shown = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"
    return _UNBROKEN.sub(lambda found: "\u200b".join(found[0]) + "\u200b", shown)
