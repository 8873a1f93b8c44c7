"""Serves the UI wherever no route of the API is: its files by their names, and its page for every other address."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from tidings.api.exchange import exchange_of
from tidings.api.page import html_of, page_response
from tidings.api.web.bundle import NONCE, Asset, Bundle

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

_READING = {"GET", "HEAD"}
_FILES = "/assets/"
_NO_PAGES = {"v1", "unsubscribe"}
_FOR_EVER = "public, max-age=31536000, immutable"  # its name changes with what is in it
_FOR_AN_HOUR = "public, max-age=3600"
_WITHOUT_UI = {"/": "unbuilt.html", "/sign-in": "sign_in.html"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self' {sockets}; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


@dataclass(frozen=True)
class _Address:
    """What metrics and logs call a request, whose path may be anything."""

    path_format: str


@dataclass(frozen=True)
class Front:
    """Where requests go that no route takes. Nothing under /v1, or beside the link of a mail, is a page: a mistake
    there gets a problem, as ever."""

    bundle: Bundle | None
    sockets: str
    """The origin of our own websockets. Some browsers do not count it to 'self'."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in _READING:
            raise HTTPException(404)
        answer = self._answer(scope)
        if answer is None:
            raise HTTPException(404)
        await answer(scope, receive, send)

    def _answer(self, scope: Any) -> Response | None:
        path: str = scope["path"]
        if path.lstrip("/").split("/", 1)[0] in _NO_PAGES:
            return None
        if self.bundle is None:
            return page_response(html_of(_WITHOUT_UI[path])) if path in _WITHOUT_UI else None
        asset = self.bundle.assets.get(path)
        if asset is not None:
            return _file(scope, asset, _FOR_EVER if path.startswith(_FILES) else _FOR_AN_HOUR)
        return None if path.startswith(_FILES) else self._page(scope, self.bundle)

    def _page(self, scope: Any, bundle: Bundle) -> Response:
        """Fresh each time: the nonce lets in the styles that this page makes, and no others."""
        scope["route"] = _Address("/{page}")
        nonce = secrets.token_urlsafe(16)
        policy = _POLICY.format(nonce=nonce, sockets=self.sockets)
        return HTMLResponse(bundle.index.replace(NONCE, nonce), headers={"Content-Security-Policy": policy})


def _file(scope: Any, asset: Asset, caching: str) -> Response:
    scope["route"] = _Address("/assets/{name}")
    encoding, body = asset.body_for(exchange_of(scope).header(b"accept-encoding") or "")
    headers = {"Cache-Control": caching, "Vary": "Accept-Encoding", "Content-Type": asset.media_type}
    if encoding != "identity":
        headers["Content-Encoding"] = encoding
    return Response(body, headers=headers)


def sockets_of(origin: str) -> str:
    """Where pages of this origin open their websockets."""
    return origin.replace("http", "ws", 1)
