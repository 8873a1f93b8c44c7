"""Bodies of strangers: read while they come, and no longer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.requests import Request

from tidings.api.bodies import read_any_body
from tidings.api.problems import BadRequest


def dripping(*pieces: bytes) -> Request:
    """A request of which so much comes, and then nothing for ever."""
    waiting = list(pieces)

    async def receive() -> Any:
        if not waiting:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": waiting.pop(0), "more_body": True}

    return Request({"type": "http", "method": "POST", "path": "/", "headers": []}, receive)


@pytest.mark.parametrize("pieces", [(), (b"{",), (b"{", b"")])
async def test_a_body_that_never_ends_is_given_up(pieces: tuple[bytes, ...]) -> None:
    with pytest.raises(BadRequest, match="took too long"):
        await read_any_body(dripping(*pieces), 100, within=0.01)
