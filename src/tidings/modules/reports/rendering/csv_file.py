"""A report as CSV: the table alone, for programs."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from typing import Any

from tidings.modules.reports.rendering.formulas import neutralised
from tidings.modules.reports.rendering.report import Report, is_number


def csv_of(report: Report) -> bytes:
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow([neutralised(column) for column in report.columns])
    writer.writerows([_cell(report, value) for value in row] for row in report.rows)
    return written.getvalue().encode(errors="replace")


def _cell(report: Report, value: Any) -> Any:
    if value is None or is_number(value):
        return value
    if isinstance(value, datetime):
        return report.local(value).isoformat()
    return neutralised(str(value))
