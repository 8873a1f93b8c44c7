"""A report as a page that needs nothing beside itself."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template

from tidings.modules.reports.rendering.report import Report, heading


def html_of(report: Report) -> bytes:
    return _template().render(report=report, numeric=report.numeric, heading=heading).encode(errors="replace")


@cache
def _template() -> Template:
    rules = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return rules.from_string((files(__package__) / "report.html").read_text("utf-8"))
