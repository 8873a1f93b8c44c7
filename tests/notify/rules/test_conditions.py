"""Whether a fact's data meets a condition, and in which words it does not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given

from tests.notify.values import JSON
from tidings.kit.errors import ValidationFailed
from tidings.spine.notify.rules.conditions import parse, unmet
from tidings.spine.notify.rules.reading import condition_json

NINE, TEN = "2026-11-16T09:00:00Z", "2026-11-16T11:00:00+01:00"


@pytest.mark.parametrize(
    ("condition", "data", "reason"),
    [
        ({"field": "country", "equals": "IT"}, {"country": "IT"}, None),
        ({"field": "country", "equals": "IT"}, {"country": "DE"}, "country is DE, not IT"),
        ({"field": "country", "equals": "IT"}, {}, "country is missing, not IT"),
        ({"field": "a", "equals": 1}, {"a": 1.0}, None),
        ({"field": "a", "equals": 0.1}, {"a": 0.1}, None),
        ({"field": "a", "equals": 1}, {"a": "1"}, "a is 1, not 1"),
        ({"field": "a", "equals": 1}, {"a": True}, "a is true, not 1"),
        ({"field": "a", "equals": True}, {"a": True}, None),
        ({"field": "a", "equals": True}, {"a": 1}, "a is 1, not true"),
        ({"field": "a", "equals": None}, {"a": None}, None),
        ({"field": "a", "equals": None}, {}, "a is missing, not null"),
        ({"field": "a", "equals": "x"}, {"a": ["x"]}, "a is a list, not x"),
        ({"field": "a.b.0", "equals": "x"}, {"a": {"b": ["x"]}}, None),
        ({"field": "a.b.1", "equals": "x"}, {"a": {"b": ["x"]}}, "a.b.1 is missing, not x"),
        ({"field": "a.b", "equals": "x"}, {"a": "text"}, "a.b is missing, not x"),
        ({"field": "a", "notEquals": "x"}, {"a": "y"}, None),
        ({"field": "a", "notEquals": "x"}, {}, None),
        ({"field": "a", "notEquals": "x"}, {"a": "x"}, "a is x, which is ruled out"),
        ({"field": "a", "in": ["IT", "DE"]}, {"a": "DE"}, None),
        ({"field": "a", "in": ["IT", 7]}, {"a": 7.0}, None),
        ({"field": "a", "in": ["IT", "DE"]}, {"a": "FR"}, "a is FR, not one of IT, DE"),
        ({"field": "a", "exists": True}, {"a": 0}, None),
        ({"field": "a", "exists": True}, {"a": None}, "a is null"),
        ({"field": "a", "exists": True}, {}, "a is missing"),
        ({"field": "a", "exists": False}, {}, None),
        ({"field": "a", "exists": False}, {"a": {}}, "a is an object, and should be missing"),
        ({"field": "amount", "greater": 100}, {"amount": 100.01}, None),
        ({"field": "amount", "greater": 100}, {"amount": 40}, "amount is 40, not greater than 100"),
        ({"field": "amount", "greater": 100}, {"amount": 100}, "amount is 100, not greater than 100"),
        ({"field": "a", "greater": 1}, {"a": "2"}, "a is 2, which cannot be compared with 1"),
        ({"field": "a", "greater": 0}, {"a": True}, "a is true, which cannot be compared with 0"),
        ({"field": "a", "greater": 1}, {}, "a is missing, which cannot be compared with 1"),
        ({"field": "a", "less": 9007199254740993}, {"a": 9007199254740992}, None),
        ({"field": "a", "less": 1}, {"a": 10**400}, "a is a very large number, not less than 1"),
        ({"field": "at", "less": TEN}, {"at": NINE}, None),
        ({"field": "at", "greater": TEN}, {"at": NINE}, f"at is {NINE}, not greater than {TEN}"),
        ({"field": "at", "less": TEN}, {"at": "soon"}, f"at is soon, which cannot be compared with {TEN}"),
        ({"field": "at", "less": TEN}, {"at": "2026-11-16T09:30:00"}, None),
        ({"all": [{"field": "a", "equals": 1}, {"field": "b", "equals": 2}]}, {"a": 1, "b": 2}, None),
        ({"all": [{"field": "a", "equals": 1}, {"field": "b", "equals": 2}]}, {"a": 1}, "b is missing, not 2"),
        ({"any": [{"field": "a", "equals": 1}, {"field": "b", "equals": 2}]}, {"b": 2}, None),
        (
            {"any": [{"field": "a", "equals": 1}, {"field": "b", "equals": 2}]},
            {"b": 3},
            "none of these: a is missing, not 1; b is 3, not 2",
        ),
        ({"all": [{"any": [{"field": "a", "exists": True}]}]}, {"a": 1}, None),
        ({"field": "a", "equals": 1}, ["not an object"], "a is missing, not 1"),
    ],
)
def test_a_condition_is_met_or_says_why_not(condition: Any, data: Any, reason: str | None) -> None:
    assert unmet(parse(condition), data) == reason


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ("text", "conditions"),
        ({}, "conditions"),
        ({"field": "a"}, "conditions"),
        ({"field": "a", "equals": 1, "less": 2}, "conditions"),
        ({"equals": 1}, "conditions.field"),
        ({"field": "a.", "equals": 1}, "conditions.field"),
        ({"field": "a", "equals": [1]}, "conditions.equals"),
        ({"field": "a", "equals": "\0"}, "conditions.equals"),
        ({"field": "a", "in": []}, "conditions.in"),
        ({"field": "a", "in": [[]]}, "conditions.in"),
        ({"field": "a", "exists": 1}, "conditions.exists"),
        ({"field": "a", "greater": True}, "conditions.greater"),
        ({"field": "a", "greater": "tall"}, "conditions.greater"),
        ({"all": []}, "conditions.all"),
        ({"all": {}}, "conditions.all"),
        ({"all": [{"any": [7]}]}, "conditions.all.0.any.0"),
        ({"all": [{"field": "a", "exists": True}], "any": []}, "conditions.any"),
        ({"field": "a", "equals": 1, "case": "no"}, "conditions.case"),
    ],
)
def test_what_is_wrong_with_a_condition_is_named(raw: Any, field: str) -> None:
    with pytest.raises(ValidationFailed) as raised:
        parse(raw)
    assert [fault.field for fault in raised.value.faults] == [field]


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(ValidationFailed) as raised:
        parse({"all": [{"field": "a", "in": 7}, {"field": "b", "exists": "yes"}]})
    assert [fault.field for fault in raised.value.faults] == ["conditions.all.0.in", "conditions.all.1.exists"]


def test_conditions_are_not_nested_or_multiplied_without_end() -> None:
    leaf: dict[str, Any] = {"field": "a", "exists": True}
    for levels, allowed in ((9, True), (10, False), (5_000, False)):
        raw = leaf
        for _ in range(levels):
            raw = {"all": [raw]}
        assert _is_allowed(raw) is allowed
    assert _is_allowed({"any": [leaf] * 99})
    assert not _is_allowed({"any": [leaf] * 100})


@given(JSON)
@example({"field": "a", "greater": "0001-01-01T00:00:00+14:00"})
def test_any_json_is_read_or_refused(raw: Any) -> None:
    if _is_allowed(raw):
        condition = parse(raw)
        assert parse(condition_json(condition)) == condition


@given(JSON)
def test_any_data_is_decided(data: Any) -> None:
    for word, value in (
        ("equals", 1),
        ("in", ["a", None, 7.5]),
        ("greater", 1.5),
        ("less", "0001-01-01T00:00:00-14:00"),
    ):
        for field in ("a", "0", "a.a"):
            reason = unmet(parse({"field": field, word: value}), data)
            assert reason is None or reason.startswith(field)


def _is_allowed(raw: Any) -> bool:
    try:
        parse(raw)
    except ValidationFailed:
        return False
    return True
