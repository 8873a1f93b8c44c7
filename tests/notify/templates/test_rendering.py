from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.rendering import Renderer
from tidings.spine.notify.templates.sources import Rendered, Source

MJML = "<mjml><mj-body><mj-section><mj-column>{}</mj-column></mj-section></mj-body></mjml>"


def mail(body: str) -> Source:
    return Source(subject="{{ notice.title }}", markup=MJML.format(body))


def test_a_mail_has_a_subject_html_and_a_text_made_from_the_markup(renderer: Renderer, context: dict[str, Any]) -> None:
    source = mail("<mj-text>Order {{ data.order }}</mj-text><mj-button href='https://example.com/a'>See</mj-button>")
    rendered = renderer.render("email", source, context)
    assert rendered.subject == "Order 4711 is paid"
    assert rendered.text == "Order 4711\n\nSee (https://example.com/a)"
    assert rendered.html is not None
    assert "<!doctype html>" in rendered.html.lower()
    assert "Order 4711" in rendered.html


def test_a_text_of_its_own_comes_before_the_one_from_the_markup(renderer: Renderer, context: dict[str, Any]) -> None:
    source = Source("s", MJML.format("<mj-text>markup</mj-text>"), "own {{ data.order }}")
    assert renderer.render("email", source, context).text == "own 4711"


def test_a_mail_may_be_text_alone(renderer: Renderer, context: dict[str, Any]) -> None:
    assert renderer.render("email", Source("s", None, "t"), context) == Rendered("s", "t", None)


def test_a_subject_is_one_line_without_control_characters(renderer: Renderer, context: dict[str, Any]) -> None:
    context["data"]["order"] = "4711\r\nBcc: a@example.com\x00\x1b\u2028\u202egnp.exe"
    rendered = renderer.render("email", Source("Order {{ data.order }}\n", None, "t"), context)
    assert rendered.subject == "Order 4711 Bcc: a@example.com gnp.exe"


@pytest.mark.parametrize("sign", ["\u202e", "\u202d", "\u2066", "\u2069", "\u200f", "\u061c", "\x07", "\r\n"])
def test_a_name_cannot_turn_the_writing_round(renderer: Renderer, context: dict[str, Any], sign: str) -> None:
    context["person"]["name"] = f"the{sign} owner"
    assert renderer.text("{{ person.name }}", context) == "the owner"
    assert renderer.line("{{ person.name }}", context) == "the owner"


def test_names_in_other_scripts_and_emoji_stay_whole(renderer: Renderer, context: dict[str, Any]) -> None:
    context["person"]["name"] = "مالك 👩‍🚀 Ægir"
    assert renderer.text("{{ person.name }}", context) == "مالك 👩‍🚀 Ægir"


@pytest.mark.parametrize(
    ("channel", "subject", "text"),
    [("sms", None, 1600), ("whatsapp", 60, 1600), ("push", 200, 2000), ("slack", 150, 3000), ("webhook", 300, 16000)],
)
def test_each_channel_has_its_lengths(renderer: Renderer, channel: str, subject: int | None, text: int) -> None:
    rendered = renderer.render(channel, Source("s" * 500, None, "t" * 20000), {})
    assert len(rendered.text) == text
    assert rendered.text.endswith("t…")
    assert rendered.subject == (None if subject is None else "s" * (subject - 1) + "…")


def test_half_characters_and_control_characters_do_not_come_out(renderer: Renderer, context: dict[str, Any]) -> None:
    context["data"]["order"] = "a\ud800b\x00c\x0bd"
    rendered = renderer.render("email", mail("<mj-text>{{ data.order }}</mj-text>"), context)
    assert rendered.text == "a?bcd"
    assert rendered.html is not None
    assert "a?bcd" in rendered.html


def test_script_in_data_is_escaped_in_elements_and_attributes(renderer: Renderer, context: dict[str, Any]) -> None:
    context["data"]["order"] = "\"><script>x</script><mj-include path='/etc/hostname'/>"
    source = mail('<mj-text css-class="{{ data.order }}">{{ data.order }}</mj-text>')
    html = renderer.render("email", source, context).html
    assert html is not None
    assert "<script>x" not in html
    assert "<mj-include" not in html


def test_an_error_names_the_part_and_the_line(renderer: Renderer, context: dict[str, Any]) -> None:
    with pytest.raises(TemplateError) as refused:
        renderer.render("email", Source("{{ data.order }}", None, "a\n{{ data.nothing }}"), context)
    assert (refused.value.part, refused.value.line) == ("text", 2)
    assert refused.value.detail == "line 2: there is no 'nothing' here"
    assert refused.value.extra == {"part": "text", "line": 2}


def test_markup_that_data_broke_is_an_error_of_the_markup(renderer: Renderer, context: dict[str, Any]) -> None:
    with pytest.raises(TemplateError) as refused:
        renderer.render("email", mail("{% for i in data.items %}<mj-text>{% endfor %}</mj-text>"), context)
    assert refused.value.part == "markup"


def test_a_channel_that_is_not_there_is_a_template_error(renderer: Renderer) -> None:
    with pytest.raises(TemplateError, match="no channel 'fax'"):
        renderer.render("fax", Source(text="t"), {})


def test_a_template_without_text_is_an_error_where_text_is_sent(renderer: Renderer) -> None:
    with pytest.raises(TemplateError, match="has no text"):
        renderer.render("sms", Source(subject="s", markup="<mjml></mjml>"), {})


def test_a_line_is_one_line_of_300_characters(renderer: Renderer, context: dict[str, Any]) -> None:
    assert renderer.line("Order\n{{ data.order }}", context) == "Order 4711"
    assert len(renderer.line("x" * 900, context)) == 300


def test_a_text_keeps_its_paragraphs(renderer: Renderer, context: dict[str, Any]) -> None:
    assert renderer.text("\n\na  \r\n\r\n\r\n\r\n{{ data.order }}\n\n", context) == "a\n\n4711"


@pytest.mark.parametrize(
    ("locale", "timezone"), [("xx-YY", "Nowhere/City"), ("", ""), ("../..", "../../etc"), ("a" * 999, "\x00")]
)
def test_a_place_nobody_knows_is_english_and_utc(
    renderer: Renderer, context: dict[str, Any], locale: str, timezone: str
) -> None:
    assert renderer.text("{{ data.startsAt | time('HH:mm') }}", context, locale, timezone) == "09:30"


def test_rendering_from_several_threads_does_not_mix(renderer: Renderer) -> None:
    def render(number: int) -> str:
        source = Source(text="{% for i in range(50) %}{{ data.n }} {% endfor %}")
        return renderer.render("slack", source, {"data": {"n": number}}).text

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(render, range(100))) == [" ".join([str(number)] * 50) for number in range(100)]


def test_the_context_is_not_changed(renderer: Renderer, context: dict[str, Any]) -> None:
    context["person"]["name"] = "the\u202e owner"
    before = repr(context)
    renderer.text("{% set data = 1 %}{% set person = 2 %}{{ data }}{{ person }}", context)
    assert repr(context) == before
