"""Whoever is signed in on a page, at the API."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Page


@dataclass(frozen=True)
class Clerk:
    """Calls the API as who is signed in on a page."""

    page: Page

    async def headers(self, type: str = "application/json") -> dict[str, str]:
        session = await (await self.page.request.get("/v1/session")).json()
        return {"X-CSRF-Token": session["data"]["csrfToken"], "Content-Type": type}

    async def call(self, method: str, path: str, body: object = None) -> Any:
        headers, data = await self.headers(), None if body is None else json.dumps(body)
        reply = await self.page.request.fetch(f"/v1{path}", method=method, headers=headers, data=data)
        assert reply.ok, f"{method} {path}: {await reply.text()}"
        return (await reply.json()).get("data") if await reply.body() else None
