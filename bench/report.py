"""Results as tables: on the terminal, and in RESULTS.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from bench.figures import Claim, Figure, Result, Row

RESULTS = Path(__file__).parent / "RESULTS.md"
_PREFACE = """# Results

Written by `python -m bench`; one section a bar, each as of its own run. Medians; the range beside them.
"""


def section(title: str, when: datetime, conditions: Sequence[str], result: Result) -> str:
    """One bar as Markdown, which a terminal shows well enough."""
    parts = [f"## {title}", f"Measured {when:%Y-%m-%d}."]
    parts.append(_list(result.how))
    parts.append(_table(("", "median", "from", "to", ""), [_row(row) for row in result.rows]))
    parts.append(_table(("bar", "found", "limit", "met"), [_claim(claim) for claim in result.claims]))
    parts.append(_list(conditions))
    return "\n\n".join(parts) + "\n"


def save(sections: Mapping[str, str]) -> None:
    """Replaces the sections of the bars that ran and keeps the others."""
    kept = _sections(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    RESULTS.write_text("\n".join([_PREFACE, *(kept | dict(sections)).values()]), encoding="utf-8")


def _sections(text: str) -> dict[str, str]:
    found = re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]
    return {part.splitlines()[0].removeprefix("## "): part.rstrip("\n") + "\n" for part in found}


def _row(row: Row) -> tuple[str, ...]:
    if isinstance(row, Figure):
        low, high = min(row.samples), max(row.samples)
        spread = ("", "") if low == high else (_number(low), _number(high))
        return (row.name, f"{_number(row.median)} {row.unit}", *spread, row.note)
    return (row.name, "not run", "", "", row.reason)


def _claim(claim: Claim) -> tuple[str, ...]:
    limit = f"{'≥' if claim.at_least else '≤'} {claim.limit:g}{claim.unit}"
    if claim.value is None:
        return (claim.text, "not run", limit, "not run")
    return (claim.text, f"{claim.value:.1f}{claim.unit}", limit, "yes" if claim.met else "**NO**")


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[column]) for line in (head, *rows)) for column in range(len(head))]
    lines = [_cells(head, widths), "|" + "|".join("-" * (width + 2) for width in widths) + "|"]
    return "\n".join([*lines, *(_cells(row, widths) for row in rows)])


def _cells(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"
