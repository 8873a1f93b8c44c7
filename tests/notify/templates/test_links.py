from __future__ import annotations

import pytest

from tidings.spine.notify.templates.links import is_link, paragraphs


def test_paragraphs_and_lines() -> None:
    assert paragraphs("a\nb\r\n\r\n\r\nc") == '<p style="margin:0 0 16px 0">a<br/>b</p><p style="margin:0">c</p>'
    assert paragraphs(None) == paragraphs(" \n ") == ""


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "see https://example.com/a?b=1&c=2.",
            'see <a href="https://example.com/a?b=1&amp;c=2">https://example.com/a?b=1&amp;c=2</a>.',
        ),
        ("(https://example.com)", '(<a href="https://example.com">https://example.com</a>)'),
        ("https://example.com/a_(b)", '<a href="https://example.com/a_(b)">https://example.com/a_(b)</a>'),
        (
            'https://example.com/"onclick="x',
            '<a href="https://example.com/">https://example.com/</a>&#34;onclick=&#34;x',
        ),
        ("https://<script>", "https://&lt;script&gt;"),
        ("javascript:alert(1)", "javascript:alert(1)"),
    ],
)
def test_addresses_become_links_and_everything_is_escaped(text: str, html: str) -> None:
    assert paragraphs(text) == f'<p style="margin:0">{html}</p>'


@pytest.mark.parametrize(
    "value",
    [
        "javascript:alert(1)",
        " https://example.com",
        "https://",
        "//example.com",
        "data:text/html,x",
        "",
        None,
        7,
        "http://[",
        "https://a\nb",
    ],
)
def test_only_web_addresses_are_links(value: object) -> None:
    assert not is_link(value)


def test_a_web_address_is_a_link() -> None:
    assert is_link("HTTPS://example.com/a?b#c")
