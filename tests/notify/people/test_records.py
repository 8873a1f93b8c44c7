"""CSV as it arrives: however it is cut, the same records come out."""

from __future__ import annotations

import csv
import io
import itertools

from hypothesis import given
from hypothesis import strategies as st

from tidings.spine.notify.people.imports.records import LONGEST_RECORD, Broken, Read, Reader, Record

CELL = st.text(st.sampled_from('ab ,";\n\rø\u2028'), max_size=8)
ROWS = st.lists(st.lists(CELL, min_size=2, max_size=3), max_size=6)


def read(content: bytes, *cuts: int) -> list[Read]:
    reader, places = Reader(), [0, *sorted(cut % (len(content) + 1) for cut in cuts), len(content)]
    pieces = [content[start:end] for start, end in itertools.pairwise(places)]
    return [found for piece in pieces for found in reader.feed(piece)] + reader.finish()


@given(rows=ROWS, cuts=st.lists(st.integers(0, 500), max_size=5), end=st.sampled_from(["\n", "\r\n"]))
def test_what_a_csv_writer_wrote_is_read_back_however_it_is_cut(
    rows: list[list[str]], cuts: list[int], end: str
) -> None:
    text = io.StringIO()
    rows = [[cell.replace("\r", "") for cell in row] for row in rows]
    csv.writer(text, lineterminator=end).writerows(rows)
    found = read(text.getvalue().encode(), *cuts)
    assert [record.cells for record in found if isinstance(record, Record)] == rows
    assert len(found) == len(rows)


@given(content=st.binary(max_size=200), cuts=st.lists(st.integers(0, 200), max_size=5))
def test_no_bytes_break_the_reader_and_cuts_make_no_difference(content: bytes, cuts: list[int]) -> None:
    if not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        assert read(content, *cuts) == read(content)


def test_what_is_wrong_with_a_record_does_not_touch_the_next() -> None:
    content = b'a,"two\nlines"\n\nb,lone"quote\nc,\xe9\nd,nul\x00\n"e" ,x\nf,g'
    lines = [(found.line, type(found)) for found in read(content)]
    assert lines == [(1, Record), (4, Broken), (5, Broken), (6, Broken), (7, Broken), (8, Record)]


def test_a_quote_that_is_never_closed_costs_no_more_than_a_record() -> None:
    found = read(b'a\n"open\n' + b"x" * 1000 + b"\n" + (b"y" * 99 + b"\n") * 2_000)
    assert (found[0], found[1].line, type(found[1])) == (Record(1, ["a"]), 2, Broken)
    assert isinstance(found[-1], Record)


def test_a_record_of_many_lines_is_looked_at_once_and_not_once_a_line() -> None:
    """Each of these took minutes when every line began the record anew."""
    for line in (b"\n", b'""\n', b'",a,"\n', b"x\r\n"):
        lines = LONGEST_RECORD // len(line) + 1
        (broken, *_) = read(b'"' + line * lines)
        assert (broken.line, type(broken)) == (1, Broken)


def test_a_carriage_return_between_quotes_is_a_part_of_the_cell() -> None:
    assert read(b'"a\rb\nc",d\n') == [Record(1, ["a\rb\nc", "d"])]
