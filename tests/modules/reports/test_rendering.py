"""Reports as files: what was written is what a reader of the format reads."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any

import openpyxl
import pytest
from pypdf import PdfReader

from tidings.modules.reports.rendering.formats import Format
from tidings.modules.reports.rendering.making import file_of
from tidings.modules.reports.rendering.pdf_file import MOST_ROWS
from tidings.modules.reports.rendering.report import Report

AT = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
LOCAL = datetime(2026, 3, 2, 9, 30)  # noqa: DTZ001 - what a workbook has: no zone
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝")
MARKUP = '#panic("typst") $x$ <b>bold</b> {{ braces }} & "quotes"'


def report(rows: list[list[Any]], columns: tuple[str, ...] = ("kind", "how_many"), **given: Any) -> Report:
    whole: dict[str, Any] = {"title": "Every day", "figures": [("Sent", 12_345), ("Share", Decimal("0.5"))]}
    return Report(
        name="Delivery summary",
        since=datetime(2026, 3, 1, 8, tzinfo=UTC),
        until=datetime(2026, 3, 2, 8, tzinfo=UTC),
        timezone="Europe/Vienna",
        columns=columns,
        rows=rows,
        **whole | given,
    )


def csv_rows(made: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(made.decode(), newline="")))


def sheets(made: bytes) -> dict[str, list[tuple[Any, ...]]]:
    book = openpyxl.load_workbook(io.BytesIO(made))
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}


def pages(made: bytes) -> list[str]:
    return [page.extract_text().replace("\u200b", "") for page in PdfReader(io.BytesIO(made)).pages]


class _Texts(HTMLParser):
    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: set[str] = set()
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.found.append(data.strip())


def test_csv_has_the_table_and_numbers_as_they_are() -> None:
    made = csv_rows(file_of(report([["mail", 1_234], [None, Decimal("-0.5")], [AT, True]]), Format.CSV))
    assert made == [["kind", "how_many"], ["mail", "1234"], ["", "-0.5"], ["2026-03-02T09:30:00+01:00", "True"]]


def test_a_workbook_has_the_figures_and_the_table_with_real_numbers_and_times() -> None:
    rows: list[list[Any]] = [
        ["mail", 1_234],
        [AT, Decimal("-0.5")],
        [date(2026, 3, 2), 10**15],
        [Decimal("NaN"), float("inf")],
    ]
    made = sheets(file_of(report(rows), Format.XLSX))
    assert made["Summary"][0][0] == "Every day"
    assert made["Summary"][2][0] == "2026-03-01 09:00 to 2026-03-02 09:00 (Europe/Vienna)"
    assert made["Summary"][4:] == [("Sent", 12_345), ("Share", 0.5)]
    head, *table = made["Table"]
    assert head == ("Kind", "How many")
    assert table == [("mail", 1_234), (LOCAL, -0.5), ("2026-03-02", "1000000000000000"), ("NaN", "inf")]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula_to_a_spreadsheet(text: str) -> None:
    """Neither of the table nor of its head, nor what the report is called."""
    text += "1+1"
    asked = report([[text, 1]], (text, "how_many"), title=text, figures=[(text, text)])
    cells = [cell for row in csv_rows(file_of(asked, Format.CSV)) for cell in row]
    assert not [cell for cell in cells if cell.startswith(FORMULAS)]
    book = openpyxl.load_workbook(io.BytesIO(file_of(asked, Format.XLSX)))
    found = [cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert not [cell for cell in found if cell.data_type == "f"]
    assert [cell.value for cell in found if isinstance(cell.value, str) and cell.value.startswith("'")]


def test_a_pdf_says_all_of_it_on_numbered_pages() -> None:
    made = pages(file_of(report([[f"channel {n}", n * 1_000] for n in range(100)]), Format.PDF))
    for said in ("Every day", "Delivery summary", "2026-03-01 09:00 to 2026-03-02 09:00 (Europe/Vienna)", "12,345"):
        assert said in made[0]
    assert all(f"{n} / {len(made)}" in page and "How many" in page for n, page in enumerate(made, 1))
    assert "99,000" in made[-1]
    assert "left out" not in made[-1]


def test_a_pdf_says_how_many_rows_it_leaves_out() -> None:
    made = " ".join(pages(file_of(report([["mail", 7]] * (MOST_ROWS + 3)), Format.PDF)))
    assert f"The table has {MOST_ROWS + 3} rows; 3 of them are left out here" in " ".join(made.split())
    assert made.count("mail") == MOST_ROWS


@pytest.mark.parametrize("columns", [0, 1, 20])
@pytest.mark.parametrize("rows", [0, 1])
def test_whatever_the_shape_of_the_table_there_is_a_file(columns: int, rows: int) -> None:
    asked = report([["x" * 5_000] * columns] * rows, tuple(f"column_{n}" for n in range(columns)), figures=[])
    for wanted in Format:
        assert file_of(asked, wanted) or (columns == 0 and wanted is Format.CSV)


def test_what_it_says_is_never_markup_and_what_no_format_can_hold_is_replaced() -> None:
    asked = report([[MARKUP, 1], ["nul \0 and half \ud83d", 2]], title=MARKUP, figures=[(MARKUP, MARKUP)])
    text = "".join("".join(pages(file_of(asked, Format.PDF))).split())
    assert text.count("".join(MARKUP.split())) >= 3
    page = _Texts(file_of(asked, Format.HTML))
    assert page.found.count(MARKUP) >= 4
    assert "b" not in page.tags
    assert sheets(file_of(asked, Format.XLSX))["Table"][2][0] == "nul � and half �"
    assert csv_rows(file_of(asked, Format.CSV))[1][0] == MARKUP


def test_a_page_needs_nothing_beside_itself() -> None:
    page = _Texts(file_of(report([["mail", 1_234_567]]), Format.HTML))
    assert not page.tags & {"script", "link", "img", "iframe"}
    assert {"Every day", "Delivery summary", "12,345", "How many", "1,234,567"} <= set(page.found)
