from __future__ import annotations

from tidings.spine.notify.templates.plain_text import plain_text


def text_of(body: str) -> str:
    return plain_text(f"<mjml><mj-head><mj-title>unseen</mj-title></mj-head><mj-body>{body}</mj-body></mjml>")


def test_paragraphs_and_headings_are_apart() -> None:
    assert text_of("<mj-text><h1>Title</h1><p>one\n  two</p><p>three</p></mj-text><mj-text>four</mj-text>") == (
        "Title\n\none two\n\nthree\n\nfour"
    )


def test_links_keep_their_address() -> None:
    assert text_of("<mj-text>see <a href='https://example.com/?a=1&amp;b=2'>this</a>.</mj-text>") == (
        "see this (https://example.com/?a=1&b=2)."
    )


def test_a_link_that_is_its_own_text_is_not_said_twice() -> None:
    assert text_of("<mj-text><a href='https://example.com'>https://example.com</a></mj-text>") == "https://example.com"


def test_lists_tables_pictures_and_rules() -> None:
    assert text_of("<mj-text><ul><li>a</li><li>b</li></ul></mj-text>") == "- a\n\n- b"
    assert text_of("<mj-table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></mj-table>") == "a b\n\nc"
    assert text_of("<mj-image src='x' alt='A &amp; B' /><mj-divider /><mj-text>x<br>y</mj-text>") == (
        "A & B\n\n--------------------\n\nx\ny"
    )


def test_what_is_not_shown_is_not_read() -> None:
    assert (
        text_of("<mj-raw><b>x</b></mj-raw><mj-text><!-- hidden -->&lt;shown&gt;<style>a{}</style></mj-text>")
        == "<shown>"
    )
