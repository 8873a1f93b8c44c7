"""The few pages that are not the UI: signing in by link, the API reference, and what a problem means."""

from __future__ import annotations

from importlib.resources import files

from fastapi import APIRouter
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tidings.api.advice import page_of
from tidings.api.page import page_response

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home() -> Response:
    return RedirectResponse("/docs", 307)


@router.get("/sign-in")
async def sign_in_page() -> Response:
    """A page with one button. Loading it consumes nothing: a mail scanner may, as often as it likes."""
    return page_response(_html("sign_in.html"))


@router.get("/docs")
async def docs() -> HTMLResponse:
    """The reference, from /openapi.json, with nothing loaded from elsewhere."""
    return page_response(_html("docs.html"))


@router.get("/errors/{name}")
async def explain(name: str) -> HTMLResponse:
    """Where the `type` of a problem leads."""
    return page_response(page_of(name))


def _html(name: str) -> str:
    return files("tidings.api").joinpath("html", name).read_text(encoding="utf-8")
