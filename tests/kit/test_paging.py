"""Cursors and pages."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.kit.crypto import DataKeys, Key, Keyring
from tidings.kit.errors import ValidationFailed
from tidings.kit.paging import Cursors, page_of

KEY = Key(b"k" * 32)
CURSORS = Cursors(Keyring(KEY, DataKeys(KEY, (KEY,))).hasher("cursors"))


@given(st.integers() | st.text(), st.text(max_size=20))
def test_a_cursor_says_where_it_was(position: int | str, tenant: str) -> None:
    assert CURSORS.read("facts", tenant, CURSORS.write("facts", tenant, position)) == position


def test_a_cursor_is_good_for_its_list_and_tenant_only() -> None:
    cursor = CURSORS.write("facts", "acme", 7)
    for listing, tenant in (("outbox", "acme"), ("facts", "globex")):
        with pytest.raises(ValidationFailed):
            CURSORS.read(listing, tenant, cursor)


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda raw: base64.urlsafe_b64encode(raw).decode()))
def test_what_we_did_not_write_is_not_valid(garbage: str) -> None:
    with pytest.raises(ValidationFailed):
        CURSORS.read("facts", "acme", garbage)


@pytest.mark.parametrize(
    ("rows", "items", "position"), [([], [], None), ([1, 2], [1, 2], None), ([1, 2, 3], [1, 2], 2)]
)
def test_the_row_too_many_says_that_there_is_more(rows: list[int], items: list[int], position: int | None) -> None:
    page = page_of(rows, 2, lambda row: row)
    assert (page.items, page.next_position) == (items, position)
