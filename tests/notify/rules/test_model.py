"""A rule as it is written down."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given

from tests.notify.values import JSON
from tidings.kit.errors import ValidationFailed
from tidings.spine.channels.port import Channel, Level
from tidings.spine.notify.audience import By, Selector
from tidings.spine.notify.rules.model import RuleBody, body_json, matches, parse_body

SHORT: dict[str, Any] = {
    "audience": [{"by": "everyone"}],
    "title": "Paid",
    "body": "Order {{ data.id }} is paid.",
    "channels": ["email", "push"],
}


def test_what_is_left_out_has_its_default() -> None:
    assert parse_body(SHORT) == RuleBody(
        conditions=None,
        audience=(Selector(By.EVERYONE),),
        title="Paid",
        body="Order {{ data.id }} is paid.",
        channels=(Channel.EMAIL, Channel.PUSH),
        template="notice",
        level=Level.INFO,
        category="general",
        delay=timedelta(0),
        shared=False,
        properties={},
    )


def test_a_rule_is_written_as_it_is_read() -> None:
    full = SHORT | {
        "conditions": {"all": [{"field": "amount", "greater": 100}, {"field": "country", "in": ["IT", "DE"]}]},
        "template": "order.paid",
        "level": "critical",
        "category": "orders",
        "delay": "90m",
        "shared": True,
        "properties": {"link": "/orders/7"},
    }
    assert body_json(parse_body(full)) == full
    assert parse_body(full).delay == timedelta(minutes=90)


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("title", None, "title"),
        ("title", "", "title"),
        ("title", "x" * 1_001, "title"),
        ("body", "\0", "body"),
        ("body", "\ud800", "body"),
        ("channels", [], "channels"),
        ("channels", "email", "channels"),
        ("channels", ["pigeon"], "channels.0"),
        ("channels", [["email"]], "channels.0"),
        ("channels", ["email", "email"], "channels"),
        ("template", "No Slug", "template"),
        ("template", None, "template"),
        ("level", "loud", "level"),
        ("level", ["info"], "level"),
        ("category", "", "category"),
        ("delay", "15", "delay"),
        ("delay", 15, "delay"),
        ("delay", "1000d", "delay"),
        ("delay", "-1s", "delay"),
        ("delay", "٣s", "delay"),
        ("shared", 1, "shared"),
        ("properties", [], "properties"),
        ("properties", {"x": "\0"}, "properties"),
        ("properties", {"x": "y" * 20_000}, "properties"),
        ("audience", None, "audience"),
        ("conditions", [], "conditions"),
        ("colour", "red", "colour"),
    ],
)
def test_what_is_wrong_is_named(field: str, value: Any, named: str) -> None:
    with pytest.raises(ValidationFailed) as raised:
        parse_body(SHORT | {field: value})
    assert [fault.field for fault in raised.value.faults] == [named]


@given(JSON)
def test_any_json_is_read_or_refused(raw: Any) -> None:
    for body in (raw, SHORT | {"properties": raw}, SHORT | {"conditions": raw}):
        with suppress(ValidationFailed):
            parse_body(body)


@pytest.mark.parametrize(
    ("pattern", "type", "matched"),
    [
        ("order.paid", "order.paid", True),
        ("order.paid", "order.paid.late", False),
        ("order.*", "order.paid", True),
        ("order.*", "orders.paid", False),
        ("order*", "orders.paid", True),
    ],
)
def test_a_star_stands_for_every_ending(pattern: str, type: str, matched: bool) -> None:
    assert matches(pattern, type) is matched
