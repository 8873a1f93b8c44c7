"""Facts as they are read."""

from __future__ import annotations

from tidings.spine.journal.reading import data_of


def test_a_number_of_any_length_is_read() -> None:
    assert data_of(f'{{"n": {"9" * 5_000}}}') == {"n": float("inf")}
