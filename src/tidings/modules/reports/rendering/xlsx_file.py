"""A report as a workbook: a sheet with the figures, and one with the table. Numbers are numbers, times are times."""

from __future__ import annotations

import io
import re
from datetime import date, datetime, time
from math import isfinite
from typing import Any

import xlsxwriter  # type: ignore[import-untyped]
from xlsxwriter.format import Format  # type: ignore[import-untyped]
from xlsxwriter.worksheet import Worksheet  # type: ignore[import-untyped]

from tidings.modules.reports.rendering.formulas import neutralised
from tidings.modules.reports.rendering.report import Report, heading, is_number

_LONGEST = 32_767  # characters of a cell
_WIDEST = 60
_EXACT = 10**15
"""A cell holds a number as a float: a larger one, such as an id, would end in other digits, and is a text."""
_NOT_IN_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}


def xlsx_of(report: Report) -> bytes:
    made = io.BytesIO()
    with xlsxwriter.Workbook(made, _OPTIONS) as book:
        bold, time_of_day = book.add_format({"bold": True}), book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
        _summary(book.add_worksheet("Summary"), report, bold, time_of_day)
        _table(book.add_worksheet("Table"), report, bold, time_of_day)
    return made.getvalue()


def _summary(sheet: Worksheet, report: Report, bold: Format, time_of_day: Format) -> None:
    sheet.set_column(0, 0, 30)
    sheet.set_column(1, 1, 20)
    _write(sheet, 0, 0, report, report.title, bold)
    _write(sheet, 1, 0, report, report.name, None)
    _write(sheet, 2, 0, report, report.period, None)
    for line, (label, value) in enumerate(report.figures, 4):
        _write(sheet, line, 0, report, label, None)
        _write(sheet, line, 1, report, value, time_of_day)


def _table(sheet: Worksheet, report: Report, bold: Format, time_of_day: Format) -> None:
    sheet.freeze_panes(1, 0)
    for at, column in enumerate(report.columns):
        _write(sheet, 0, at, report, heading(column), bold)
        longest = max([len(heading(column)), *(len(report.shown(row[at])) for row in report.rows)])
        sheet.set_column(at, at, min(longest + 2, _WIDEST))
    for line, row in enumerate(report.rows, 1):
        for at, value in enumerate(row):
            _write(sheet, line, at, report, value, time_of_day)
    if report.columns:
        sheet.autofilter(0, 0, max(len(report.rows), 1), len(report.columns) - 1)


def _write(sheet: Worksheet, line: int, at: int, report: Report, value: Any, form: Format | None) -> None:
    match value:
        case None:
            return
        case bool():
            sheet.write_boolean(line, at, value)
        case datetime():
            sheet.write_datetime(line, at, report.local(value).replace(tzinfo=None), form)
        case _ if is_number(value) and isfinite(value) and abs(value) < _EXACT:
            sheet.write_number(line, at, value)
        case date() | time():
            sheet.write_string(line, at, value.isoformat())
        case _:
            text = neutralised(_NOT_IN_XML.sub("�", str(value)))
            sheet.write_string(line, at, text[:_LONGEST], form if isinstance(value, str) else None)
