from __future__ import annotations

import pytest

from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.mjml import to_html


def page(body: str, head: str = "") -> str:
    return f"<mjml><mj-head>{head}</mj-head><mj-body>{body}</mj-body></mjml>"


def in_text(words: str) -> str:
    return page(f"<mj-section><mj-column><mj-text>{words}</mj-text></mj-column></mj-section>")


REPEATED = "<mj-attributes><mj-all padding='" + "9" * 50_000 + "' /></mj-attributes>"
BAD = {
    "deep elements": page("<mj-wrapper>" * 20_000 + "</mj-wrapper>" * 20_000),
    "deep tags in text": in_text("<b>" * 20_000 + "</b>" * 20_000),
    "deep tags never closed": in_text("<b>" * 20_000),
    "deep tags with closings in attributes": in_text("<b x='</b></b>'>" * 20_000),
    "deep tags with closings in quotes": in_text("<b x='></b></b>'>" * 20_000),
    "deep tags with closings in comments": in_text("<b><!-- </b> -->" * 20_000),
    "deep tags with closings in data sections": in_text("<b><![CDATA[</b>]]>" * 20_000),
    "deep tags with closings in instructions": in_text("<b><?x </b> ?>" * 20_000),
    "deep tags in a conditional comment": in_text("<!--[if mso]>" + "<b>" * 20_000 + "<![endif]-->"),
    "deep tags in a style": page("", "<mj-style>" + "<b>" * 20_000 + "</mj-style>"),
    "deep tags that look closed": in_text("<b x=a/>" * 20_000),
    "many elements": page("<mj-section />" * 20_000),
    "what is written into every element": page("<mj-section />" * 4_000, REPEATED),
    "a long mail": page("<mj-hero></mj-hero>" * 2_400),
    "a carousel": page("<mj-section><mj-column><mj-carousel></mj-carousel></mj-column></mj-section>"),
    "an include": page("<mj-include path='/etc/hostname' />"),
    "an entity": "<!DOCTYPE x [<!ENTITY a 'b'>]>" + page("&a;"),
    "no mjml": "<html></html>",
    "nothing": "",
    "words": "hello",
    "two ends": page("") + "</mjml>",
    "a quote that is open": in_text("<b x='>y</b>"),
    "a long tag": in_text("<b " + "a" * 200_000),
}


@pytest.mark.parametrize("markup", BAD.values(), ids=BAD.keys())
def test_bad_markup_is_an_error_and_not_the_end_of_the_process(markup: str) -> None:
    with pytest.raises(TemplateError):
        to_html(markup)


def test_entities_of_the_text_come_out_as_they_were() -> None:
    assert "&lt;b&gt; &amp; &nbsp;" in to_html(in_text("&lt;b&gt; &amp; &nbsp;"))


@pytest.mark.parametrize("value", ["", "px", "-1px", "NaNpx", "1e999px", "9" * 30 + "px", "é", "1é", "0%", "sample"])
@pytest.mark.parametrize("name", ["width", "padding", "border", "height", "inner-padding", "background-size"])
def test_odd_values_of_attributes_never_stop_the_process(name: str, value: str) -> None:
    given = f'{name}="{value}"'
    column = f"<mj-column {given}><mj-image {given} /><mj-button {given}>b</mj-button></mj-column>"
    assert "</html>" in to_html(page(f"<mj-section {given}>{column}</mj-section><mj-hero {given} />"))


def test_an_error_of_the_parser_has_a_line() -> None:
    with pytest.raises(TemplateError, match="line 2: the markup cannot be used"):
        to_html("<mjml><!-- é\n --><mj-head><mj-text>é</mj-text></mj-head></mjml>")
