"""The few pages that are not the UI's: the API reference, what a problem means, and the frame for foreign HTML."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from tidings.api.advice import page_of
from tidings.api.page import hashes_in, html_of, page_response

router = APIRouter(include_in_schema=False)
_FRAME = html_of("frame.html")
_FRAME_HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src {hashes_in(_FRAME, 'script')}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
    ),
    "X-Frame-Options": "SAMEORIGIN",
    "X-DNS-Prefetch-Control": "off",
}


@router.get("/docs")
async def docs() -> HTMLResponse:
    """The reference, from /openapi.json, with nothing loaded from elsewhere."""
    return page_response(html_of("docs.html"))


@router.get("/errors/{name}")
async def explain(name: str) -> HTMLResponse:
    """Where the `type` of a problem leads."""
    return page_response(page_of(name))


@router.get("/frame")
async def frame() -> HTMLResponse:
    """Shows the HTML of somebody else that our own page hands it, in an origin of its own. Nothing of it runs, loads,
    submits or leads anywhere; the page hears how high it is."""
    return HTMLResponse(_FRAME, headers=_FRAME_HEADERS)
