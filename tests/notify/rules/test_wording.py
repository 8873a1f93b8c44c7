"""The words of a rule, checked when it is saved."""

from __future__ import annotations

import pytest

from tidings.spine.notify.rules.wording import word_faults
from tidings.spine.notify.templates.rendering import Renderer


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
