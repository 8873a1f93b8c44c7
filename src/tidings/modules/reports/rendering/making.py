"""From a report to a file. It takes a processor's time: not on the event loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tidings.modules.reports.rendering.csv_file import csv_of
from tidings.modules.reports.rendering.formats import Format
from tidings.modules.reports.rendering.html_file import html_of
from tidings.modules.reports.rendering.pdf_file import pdf_of
from tidings.modules.reports.rendering.report import Report
from tidings.modules.reports.rendering.xlsx_file import xlsx_of

_MAKES: Mapping[Format, Callable[[Report], bytes]] = {
    Format.PDF: pdf_of,
    Format.CSV: csv_of,
    Format.XLSX: xlsx_of,
    Format.HTML: html_of,
}


def file_of(report: Report, wanted: Format) -> bytes:
    return _MAKES[wanted](report)
