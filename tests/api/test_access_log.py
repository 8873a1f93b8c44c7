"""What the log says about requests, and what it never says."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.world import World
from tidings.kit import logging as our_logging
from tidings.kit.settings import LogSettings


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """Configures a level; gives a function that reads the access lines since it was last called."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def configure(name: Any) -> Any:
        our_logging.configure(LogSettings(level=name, format="json"))

        def lines() -> list[dict[str, Any]]:
            found = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
            return [line for line in found if line["logger"] == "tidings.access"]

        return lines

    yield configure
    root.handlers[:] = handlers
    root.setLevel(level)


async def test_a_refused_request_is_one_line_with_its_id_and_no_secret(world: World, logged: Any) -> None:
    lines = logged("info")
    member = world.as_(world.member, **{"X-Request-Id": "req-13"})
    await member.post("/v1/facts", {"type": "lead.created"})
    await member.post("/v1/outbox/redrive?token=hush", {})
    await world.client.get("/v1/nowhere/secret?token=hush")
    refused, unknown = lines()
    assert refused["request_id"] == "req-13"
    assert (refused["method"], refused["path"], refused["status"]) == ("POST", "/v1/outbox/redrive", 403)
    assert (refused["tenant"], refused["level"]) == ("acme", "info")
    assert refused["milliseconds"] > 0
    assert (unknown["path"], unknown["status"], unknown["tenant"]) == ("/v1/nowhere/secret", 404, None)
    assert "hush" not in json.dumps([refused, unknown])
    assert world.member.key not in json.dumps([refused, unknown])


async def test_at_debug_every_request_is_a_line_but_for_those_who_watch(world: World, logged: Any) -> None:
    lines = logged("debug")
    fact = await world.as_(world.member).emit()
    await world.as_(world.member).get(f"/v1/facts/{fact['id']}")
    for path in ("/healthz", "/readyz", "/metrics"):
        await world.client.get(path)
    assert [(line["path"], line["status"]) for line in lines()] == [("/v1/facts", 201), ("/v1/facts/{id}", 200)]
