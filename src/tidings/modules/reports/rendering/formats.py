"""The formats that a report can be made in."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    PDF = "pdf"
    CSV = "csv"
    XLSX = "xlsx"
    HTML = "html"

    @property
    def media_type(self) -> str:
        return _MEDIA_TYPES[self]


_MEDIA_TYPES = {
    Format.PDF: "application/pdf",
    Format.CSV: "text/csv; charset=utf-8",
    Format.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Format.HTML: "text/html; charset=utf-8",
}
