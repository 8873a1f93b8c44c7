from __future__ import annotations

from typing import Any

import pytest

from tidings.spine.notify.templates.channels import CHANNELS
from tidings.spine.notify.templates.checking import Checker
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.rendering import Renderer
from tidings.spine.notify.templates.standard import names, standard
from tidings.spine.notify.templates.words import Catalogue


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("channel", CHANNELS)
def test_every_default_template_is_without_fault(checker: Checker, channel: str, name: str) -> None:
    assert checker.faults(standard(channel, name), channel) == []


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_notice_goes_out_over_every_channel(renderer: Renderer, context: dict[str, Any], channel: str) -> None:
    rendered = renderer.render(channel, standard(channel), context, "it-IT", "Europe/Rome")
    assert "It has arrived." in rendered.text
    assert rendered.subject == (None if channel == "sms" else "Order 4711 is paid")


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_notice_with_nothing_but_a_title_goes_out(renderer: Renderer, channel: str) -> None:
    notice = {"title": "Hello", "body": "", "level": "info", "category": None}
    context = {"notice": notice, "data": {}, "tenant": {"name": "Example Shop"}, "unsubscribe_url": None}
    rendered = renderer.render(channel, standard(channel), context)
    assert "Hello" in rendered.text
    assert "nsubscribe" not in rendered.text + (rendered.html or "")


@pytest.mark.parametrize(
    ("locale", "word"), [("en", "Unsubscribe"), ("it-CH", "Annulla"), ("de_AT", "Abbestellen"), ("fr", "Unsubscribe")]
)
def test_the_fixed_words_are_the_readers(renderer: Renderer, context: dict[str, Any], locale: str, word: str) -> None:
    html = renderer.render("email", standard("email"), context, locale).html
    assert html is not None
    assert word in html
    assert 'href="https://tidings.example.com/u/abc"' in html


def test_a_mail_has_a_button_only_for_a_web_address(renderer: Renderer, context: dict[str, Any]) -> None:
    def html(url: str) -> str:
        context["data"]["actionUrl"] = url
        return renderer.render("email", standard("email"), context).html or ""

    assert 'href="https://example.com/a?b=1&amp;c=2"' in html("https://example.com/a?b=1&c=2")
    assert "javascript:" not in html("javascript:alert(1)")


def test_what_can_be_answered_stands_before_what_can_be_opened(renderer: Renderer, context: dict[str, Any]) -> None:
    context["data"]["actionUrl"] = "https://example.com/open"
    context["links"] = [{"label": "Yes & no", "url": f"https://example.com/act/{n}"} for n in "ab"]
    rendered = renderer.render("email", standard("email"), context)
    for part in (rendered.html or "", rendered.text):
        places = [part.index(f"https://example.com/{end}") for end in ("act/a", "act/b", "open")]
        assert places == sorted(places)
    assert "Yes & no:\nhttps://example.com/act/a\n" in rendered.text
    assert "Yes &amp; no" in (rendered.html or "")


@pytest.mark.parametrize(("level", "colour"), [("info", "#2563eb"), ("warning", "#b45309"), ("critical", "#dc2626")])
def test_a_level_has_its_colour(renderer: Renderer, context: dict[str, Any], level: str, colour: str) -> None:
    context["notice"]["level"] = level
    assert colour in (renderer.render("email", standard("email"), context).html or "")


def test_markup_in_a_notice_is_shown_and_not_obeyed(renderer: Renderer, context: dict[str, Any]) -> None:
    context["notice"] |= {"title": "<b>{{ 7 * 7 }}</b>", "body": "</mj-text><script>x</script> https://example.com/<x>"}
    context["tenant"]["name"] = "</mjml>{category}"
    html = renderer.render("email", standard("email"), context).html or ""
    assert "&lt;b&gt;{{ 7 * 7 }}&lt;/b&gt;" in html
    assert "<script>x" not in html
    assert "&lt;/mjml&gt;{category}" in html


def test_every_language_has_the_same_words() -> None:
    languages = Catalogue().languages
    assert {"en", "it", "de"} <= set(languages)
    assert len({frozenset(words) for words in languages.values()}) == 1


def test_a_template_that_is_not_there_is_the_one_for_notices() -> None:
    assert standard("sms", "nothing-of-the-kind") == standard("sms", "notice")
    with pytest.raises(TemplateError):
        standard("fax")
