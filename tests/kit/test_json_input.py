"""JSON from strangers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.kit.errors import ValidationFailed
from tidings.kit.json_input import canonical, parse_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(VALUES)
def test_every_json_value_is_read_as_it_is(value: Any) -> None:
    assert parse_json(json.dumps(value).encode()) == value


@given(st.dictionaries(st.text(), st.integers(), max_size=5))
def test_the_order_of_keys_makes_no_difference(value: dict[str, int]) -> None:
    assert canonical(value) == canonical(dict(reversed(value.items())))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "not JSON"),
        (b"{'a': 1}", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"NaN", "NaN"),
        (b"[Infinity]", "Infinity"),
        (b"1e999", "double"),
        (b"-1e999", "double"),
        (b'{"a": 1, "a": 1}', "twice"),
        (b'[{"b": {"a": 1, "a": 2}}]', "twice"),
        (b"9" * 5000, "digits"),
        (b"[" * 100_000, "deep"),
        (b'{"a":' * 100_000, "deep"),
        (b'"\x01"', "not JSON"),
        (b"1 2", "not JSON"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_parsers_disagree_about_is_refused(body: bytes, says: str) -> None:
    with pytest.raises(ValidationFailed, match=says) as refused:
        parse_json(body)
    assert refused.value.faults[0].field == "body"
