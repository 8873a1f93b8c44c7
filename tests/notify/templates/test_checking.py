from __future__ import annotations

import pytest

from tidings.kit.errors import Fault
from tidings.spine.notify.templates.channels import CHANNELS
from tidings.spine.notify.templates.checking import Checker
from tidings.spine.notify.templates.sources import Source

MJML = "<mjml>\n<mj-body>\n{}\n</mj-body>\n</mjml>"


def fault(checker: Checker, text: str) -> str:
    found = checker.faults(Source(text=text), "sms")
    assert len(found) == 1, found
    assert found[0].field == "text"
    return found[0].message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n{{ data.", "line 2: expected name or number"),
        ("a\n{% if data %}", "line 2: Unexpected end of template"),
        ("{{ data.x | center(9) }}", "line 1: there is no filter named 'center'"),
        ("{% if data.x is callable %}{% endif %}", "line 1: there is no test named 'callable'"),
        ("\n\n{% macro m() %}{% endmacro %}", "line 3: macro cannot be used in a template"),
        ("{% include 'x' %}", "line 1: include cannot be used"),
        ("{% autoescape false %}{% endautoescape %}", "line 1: {% autoescape %} cannot be used"),
        ("{{ 2 ** 8 }}", "line 1: ** cannot be used"),
        ("{{ data.x.__class__ }}", "line 1: __class__ cannot be reached"),
        ("{{ data.x.encode() }}", "line 1: encode() cannot be called"),
        ("{{ order.id }}", "there is no 'order': a template knows data, fact"),
        ("x" * 70000, "is longer than 65,536 characters"),
        ("{% for a in data %}" * 25 + "{% endfor %}" * 25, "is nested too deeply"),
        ("{{ 1 }}" * 5000, "has too many parts"),
    ],
)
def test_a_fault_says_what_and_where(checker: Checker, text: str, message: str) -> None:
    assert message in fault(checker, text)


def test_several_faults_are_told_together(checker: Checker) -> None:
    source = Source(subject="{{ a | nope }}", text="{{ b | nope }}\n{{ c | nope }}")
    assert [(each.field, each.message) for each in checker.faults(source, "push")] == [
        ("subject", "line 1: there is no filter named 'nope'"),
        ("text", "line 1: there is no filter named 'nope'"),
        ("text", "line 2: there is no filter named 'nope'"),
    ]


@pytest.mark.parametrize(
    ("markup", "message"),
    [
        ("<mj-section>", "line 4: </mj-body> where <mj-section> of line 3 is open"),
        ("</mj-section>", "line 3: </mj-section> where <mj-body> of line 2 is open"),
        ("<mj-include path='/etc/hostname' />", "line 3: mj-include is not available"),
        ("<mj-text>1 < 2</mj-text>", "line 3: a < begins no tag here"),
        ("<!-- open", "line 3: a comment is not closed"),
        ("<mj-raw><!--[if mso]><b></b><![endif]--></mj-raw>", "line 3: a conditional comment cannot be used"),
        ("{% if data.x %}<mj-section>{% endif %}</mj-section>", "where <mj-body> of line 2 is open"),
        ("{% for i in data.x %}<mj-section>{% endfor %}</mj-section>", "where <mj-body> of line 2 is open"),
    ],
)
def test_markup_is_checked_with_and_without_what_is_conditional(checker: Checker, markup: str, message: str) -> None:
    found = checker.faults(Source("s", MJML.format(markup)), "email")
    assert [each.field for each in found] == ["markup"]
    assert message in found[0].message


@pytest.mark.parametrize(
    "markup",
    [
        "{% if data.a %}<mj-section css-class='a'>{% else %}<mj-section>{% endif %}</mj-section>",
        "<mj-section>{% for r in data.rows %}<mj-column width='{{ r.width }}px'></mj-column>{% endfor %}</mj-section>",
        "<mj-section {% if data.a %}padding='{{ data.a }}'{% endif %}></mj-section>",
        "{% set t = data.title | upper %}<mj-section><mj-column><mj-text>{{ t }}</mj-text></mj-column></mj-section>",
        "<mj-section><mj-column><mj-text>a<br>b & c &nbsp; <b>d</b></mj-text></mj-column></mj-section>",
        "<mj-section><!-- <mj-column> --></mj-section>",
    ],
)
def test_markup_that_is_right_either_way_has_no_fault(checker: Checker, markup: str) -> None:
    assert checker.faults(Source("s", MJML.format(markup)), "email") == []


def test_a_mail_needs_a_subject_and_a_body(checker: Checker) -> None:
    assert [each.field for each in checker.faults(Source(), "email")] == ["subject", "markup"]
    assert checker.faults(Source("s", None, "t"), "email") == []


@pytest.mark.parametrize("channel", [channel for channel in CHANNELS if channel != "email"])
def test_other_channels_need_text_and_have_no_markup(checker: Checker, channel: str) -> None:
    found = checker.faults(Source(markup="<mjml></mjml>"), channel)
    assert Fault("text", "is missing") in found
    assert Fault("markup", "is for mails only") in found


def test_a_channel_that_is_not_there_is_a_fault(checker: Checker) -> None:
    assert [each.field for each in checker.faults(Source(text="t"), "fax")] == ["channel"]


@pytest.mark.parametrize(
    ("source", "uses"),
    [
        (Source(text="{{ notice.title }} {{ data.person }} {{ data['unsubscribe_url'] }}"), False),
        (Source(text="Dear {{ person.name }}"), True),
        (Source(text="{% if person.userType == 'x' %}a{% endif %}"), True),
        (Source(subject="{{ [1] | map('default', person.name) | join }}", text="t"), True),
        (Source(text="{{ unsubscribe_url }}"), True),
        (Source(text="t", markup="<mjml>{% set p = person %}</mjml>"), True),
        (Source(text="{{ words.why }}{{ data.at | datetime }}"), False),
    ],
)
def test_it_is_known_whether_a_template_uses_the_person(checker: Checker, source: Source, uses: bool) -> None:
    assert checker.uses_person(source) is uses
