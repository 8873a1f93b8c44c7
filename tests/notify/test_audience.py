"""Who is to be told, as it is written down and as a fact's data fills it in."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.notify.values import JSON
from tidings.kit.errors import ValidationFailed
from tidings.spine.notify.audience import By, Selector, as_json, parse_selectors, resolved

SOMEBODY = "0190a0c8-0000-7000-8000-000000000001"


def test_selectors_are_read_as_they_are_written() -> None:
    written: list[dict[str, Any]] = [
        {"by": "person", "values": [SOMEBODY]},
        {"by": "group", "field": "restaurant.id", "userType": "chef"},
        {"by": "everyone"},
    ]
    read = parse_selectors(written)
    assert read == (
        Selector(By.PERSON, (SOMEBODY,)),
        Selector(By.GROUP, field="restaurant.id", user_type="chef"),
        Selector(By.EVERYONE),
    )
    assert as_json(read) == written


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (None, "audience"),
        ([], "audience"),
        ([{"by": "everyone"}] * 21, "audience"),
        (["everyone"], "audience.0"),
        ([{"by": "colour", "values": ["red"]}], "audience.0.by"),
        ([{"by": ["group"]}], "audience.0.by"),
        ([{"by": "everyone", "values": ["a"]}], "audience.0"),
        ([{"by": "group"}], "audience.0"),
        ([{"by": "group", "values": ["a"], "field": "b"}], "audience.0"),
        ([{"by": "group", "values": "a"}], "audience.0.values"),
        ([{"by": "group", "values": []}], "audience.0.values"),
        ([{"by": "group", "values": ["a", 7]}], "audience.0.values.1"),
        ([{"by": "group", "values": ["a\0"]}], "audience.0.values.0"),
        ([{"by": "group", "values": ["\ud800"]}], "audience.0.values.0"),
        ([{"by": "group", "values": ["a"] * 1_001}], "audience.0.values"),
        ([{"by": "group", "values": [str(n) for n in range(600)]}] * 2, "audience"),
        ([{"by": "person", "values": ["nobody"]}], "audience.0.values.0"),
        ([{"by": "group", "field": "a..b"}], "audience.0.field"),
        ([{"by": "group", "field": 7}], "audience.0.field"),
        ([{"by": "everyone", "userType": ""}], "audience.0.userType"),
        ([{"by": "everyone", "color": "red"}], "audience.0.color"),
    ],
)
def test_what_is_wrong_is_named(raw: Any, field: str) -> None:
    with pytest.raises(ValidationFailed) as raised:
        parse_selectors(raw)
    assert [fault.field for fault in raised.value.faults] == [field]


@pytest.mark.parametrize(
    ("value", "values"),
    [
        ("kitchen", ("kitchen",)),
        (7, ("7",)),
        (7.0, ("7",)),
        (7.5, ("7.5",)),
        (["a", 7, "a"], ("a", "7")),
        ("", ()),
        (None, ()),
        (True, ()),
        ({"id": 7}, ()),
        ([["a"], {"b": 1}], ()),
    ],
)
def test_a_field_stands_for_what_the_data_has_there(value: Any, values: tuple[str, ...]) -> None:
    selectors = (Selector(By.GROUP, field="of.it", user_type="chef"),)
    assert resolved(selectors, {"of": {"it": value}}) == (Selector(By.GROUP, values, user_type="chef"),)


def test_a_missing_field_stands_for_nobody() -> None:
    assert resolved((Selector(By.EMAIL, field="email"),), {}) == (Selector(By.EMAIL, ()),)


def test_what_cannot_be_a_persons_id_stands_for_nobody() -> None:
    data = {"owners": ["x", SOMEBODY.upper(), 7]}
    assert resolved((Selector(By.PERSON, field="owners"),), data) == (Selector(By.PERSON, (SOMEBODY,)),)


@given(JSON, st.sampled_from(By))
def test_any_data_resolves(data: Any, by: By) -> None:
    (selector,) = resolved((Selector(by, field="a.0"),), data)
    assert selector.field is None
    if by is By.PERSON:
        assert all(str(UUID(value)) == value for value in selector.values)


@given(JSON)
def test_any_json_is_read_or_refused(raw: Any) -> None:
    with suppress(ValidationFailed):
        selectors = parse_selectors(raw)
        assert parse_selectors(as_json(selectors)) == selectors
