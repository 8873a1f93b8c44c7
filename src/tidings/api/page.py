"""HTML pages of our own: self-contained, with a policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files

from starlette.responses import HTMLResponse

_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def html_of(name: str) -> str:
    """One of the pages in `html/`."""
    return files("tidings.api").joinpath("html", name).read_text(encoding="utf-8")


def page_response(html: str, status: int = 200, *, forms: bool = False) -> HTMLResponse:
    """The page, and a policy that allows exactly the script and the style that are in it, and forms where asked for."""
    scripts, styles = hashes_in(html, "script"), hashes_in(html, "style")
    action = "'self'" if forms else "'none'"
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; "
        f"connect-src 'self'; base-uri 'none'; form-action {action}; frame-ancestors 'none'"
    )
    return HTMLResponse(html, status, headers={"Content-Security-Policy": policy})


def hashes_in(html: str, kind: str) -> str:
    """The sources of a policy that allow the page's own scripts or styles, as they are now."""
    texts = (text for tag, text in _INLINE.findall(html) if tag == kind)
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
