"""HTML pages of our own: self-contained, with a policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import re

from starlette.responses import HTMLResponse

_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def page_response(html: str, status: int = 200, *, forms: bool = False) -> HTMLResponse:
    """The page, and a policy that allows exactly the script and the style that are in it, and forms where asked for."""
    hashes: dict[str, list[str]] = {"script": [], "style": []}
    for kind, text in _INLINE.findall(html):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        hashes[kind].append(f"'sha256-{digest}'")
    scripts, styles = (" ".join(found) or "'none'" for found in hashes.values())
    action = "'self'" if forms else "'none'"
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; "
        f"connect-src 'self'; base-uri 'none'; form-action {action}; frame-ancestors 'none'"
    )
    return HTMLResponse(html, status, headers={"Content-Security-Policy": policy})
