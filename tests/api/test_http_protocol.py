"""The head of a request: so much of it and no more, whoever sends it."""

from __future__ import annotations

import asyncio
import contextlib
from urllib.parse import urlsplit

import pytest

from tests.api.world import World
from tidings.api.http_protocol import LONGEST_HEAD

BEGIN = b"GET /healthz HTTP/1.1\r\nHost: tidings.example\r\n"
MOST = 20_000_000


async def connected(world: World) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", urlsplit(world.client.base).port)


@pytest.mark.parametrize("piece", [b"X-Some: header\r\n" * 1_000, b"x" * 16_000, b"x: y\r\n" * 3_000])
async def test_a_head_that_does_not_end_is_refused(world: World, piece: bytes) -> None:
    reader, writer = await connected(world)
    writer.write(BEGIN)
    answer, sent = asyncio.create_task(reader.read(12)), 0
    with contextlib.suppress(ConnectionError):
        while sent < MOST and not answer.done():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.001)
            sent += len(piece)
    assert (await answer, sent < MOST) == (b"HTTP/1.1 431", True)
    writer.close()


async def test_a_head_that_is_long_and_ends_is_served(world: World) -> None:
    reader, writer = await connected(world)
    writer.write(BEGIN + b"X-Long: ")
    for _ in range(LONGEST_HEAD // 2 // 1_000):
        writer.write(b"x" * 1_000)
        await writer.drain()
    writer.write(b"\r\n\r\n" + BEGIN + b"\r\n")  # and another one behind it
    answers = [await reader.readuntil(b'"ok"}') for _ in range(2)]
    assert [answer.split()[1] for answer in answers] == [b"200", b"200"]
    writer.close()


async def test_a_large_body_is_no_large_head(world: World) -> None:
    reader, writer = await connected(world)
    body = b" " * (LONGEST_HEAD * 4)
    head = b"POST /v1/facts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    writer.write(head % len(body) + body + BEGIN + b"\r\n")
    assert (await reader.readline()).split()[1] == b"401"
    await reader.readuntil(b"HTTP/1.1 200 OK")
    writer.close()
