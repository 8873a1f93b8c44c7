"""A request is a span in the caller's trace, and the fact it posts goes on from there."""

from __future__ import annotations

import asyncio
import json
import sys

from tests.api.world import World

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


async def test_the_callers_trace_goes_through_the_request_into_the_fact_and_no_secret_into_the_trace(
    database_url: str, world: World
) -> None:
    command = (sys.executable, "-m", "tests.api.traced", database_url, world.member.key, PARENT)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    told = json.loads(output)
    assert told["trace"] == "af7651916cd43dd8448eb211c80319c"
    assert told["parent"] == "b7ad6b7169203331"
    assert told["fact"] == f"00-0af7651916cd43dd8448eb211c80319c-{int(told['span'], 16):016x}-01"
    assert "/unsubscribe/{token}" in told["opened"]
    assert "a-secret" not in told["opened"]
