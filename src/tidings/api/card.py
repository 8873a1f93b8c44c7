"""A page for somebody without a login: a card with a few words and at most one form or link. No script, and nothing
loaded."""

from __future__ import annotations

from functools import cache
from html import escape
from string import Template

from starlette.responses import HTMLResponse

from tidings.api.page import html_of, page_response

_QUIET = {"X-Robots-Tag": "noindex"}


def card(language: str, title: str, says: str, form: str = "", status: int = 200) -> HTMLResponse:
    """`form` is HTML; the words are not."""
    html = _template().substitute(language=language, title=escape(title), says=escape(says), form=form)
    response = page_response(html, status, forms=bool(form))
    response.headers.update(_QUIET)
    return response


def hidden(name: str, value: str) -> str:
    return f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'


def post_form(inside: str, button: str, *, quiet: bool = False) -> str:
    """`quiet`: not the button that one came for."""
    look = ' class="again"' if quiet else ""
    return f'<form method="post">\n{inside}\n<button type="submit"{look}>{escape(button)}</button>\n</form>'


def link_to(address: str, label: str) -> str:
    return f'<p><a href="{escape(address)}">{escape(label)}</a></p>'


@cache
def _template() -> Template:
    return Template(html_of("card.html"))
