"""What a rule says of a fact."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from tidings.spine.journal.reading import Fact
from tidings.spine.notify.rules.model import RuleBody, parse_body
from tidings.spine.notify.rules.saying import Said, context_of, data_of, said, word_faults
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.rendering import Renderer

FACT = Fact(
    UUID(int=7), 1, "acme", "order.paid", None, None, None, '{"id": 7}', "{}", datetime(2026, 11, 16, 9, tzinfo=UTC)
)


def test_title_and_body_know_the_fact_its_data_and_the_tenant() -> None:
    body = _body("{{ tenant.name }}: order {{ data.id }}", "{{ fact.type }} at {{ fact.occurredAt | datetime }}")
    words = _said(body, FACT)
    assert words.title == "Acme: order 7"
    assert words.body.startswith("order.paid at ")


def test_syntax_in_the_data_stays_as_it_is() -> None:
    assert _said(_body("{{ data.id }}", "-"), replace(FACT, data='{"id": "{{ 7 * 7 }}"}')).title == "{{ 7 * 7 }}"


def test_what_is_missing_is_told_with_its_part() -> None:
    with pytest.raises(TemplateError) as raised:
        _said(_body("Fine", "{{ data.total }}"), FACT)
    assert raised.value.part == "body"


@pytest.mark.parametrize(
    ("title", "body", "named"),
    [
        ("{{ data.id", "-", "title"),
        ("-", "one\n{% for %}", "body"),
        ("-", "{{ data.x | nonsense }}", "body"),
        ("{{ order.id }}", "-", "title"),
        ("-", "Dear {{ person.name }}", "body"),
        ("-", "{{ ''.__class__ }}", "body"),
    ],
)
def test_what_cannot_be_said_is_told_when_it_is_saved(title: str, body: str, named: str) -> None:
    assert {fault.field for fault in word_faults(Renderer(), title, body)} == {named}


def test_a_fault_has_its_line() -> None:
    (fault,) = word_faults(Renderer(), "-", "one\ntwo {{ data.x | nonsense }}")
    assert fault.message.startswith("line 2:")


def test_good_words_have_no_faults() -> None:
    assert (
        word_faults(Renderer(), "{{ data.id }}", "{% if data.id > 3 %}{{ fact.id }}{% endif %} {{ tenant.name }}") == []
    )


def test_a_number_of_any_length_is_read() -> None:
    assert data_of(f'{{"n": {"9" * 5_000}}}') == {"n": float("inf")}


def _body(title: str, body: str) -> RuleBody:
    return parse_body({"audience": [{"by": "everyone"}], "title": title, "body": body, "channels": ["email"]})


def _said(body: RuleBody, fact: Fact) -> Said:
    return said(Renderer(), body, context_of(fact, data_of(fact.data), {"id": "acme", "name": "Acme"}))
