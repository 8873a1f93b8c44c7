"""A real `tidings api`, and a client of it that can lose its connection at any moment."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import jwt

from tests.chaos.processes import Life
from tests.chaos.waiting import free_port, until
from tests.chaos.world import World

_SECRET = "a secret of thirty-two characters or more"
_LOST = (aiohttp.ClientError, ConnectionError, TimeoutError)
_PATIENCE = aiohttp.ClientTimeout(total=30)


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def fact(self) -> str:
        return str(self.body["data"]["id"])


@dataclass
class Api:
    world: World
    settings: dict[str, str] = field(default_factory=dict)
    role: str = "member"
    port: int = field(default_factory=free_port)
    life: Life | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> Life:
        environment = {
            "TIDINGS_DATABASE_URL": self.world.url,
            "TIDINGS_API_PORT": str(self.port),
            "TIDINGS_API_RATE_LIMIT": "10000000",
            "TIDINGS_AUTH_JWT_SECRET": _SECRET,
            "TIDINGS_MASTER_KEY": "A" * 43,  # as the workers have it
            "TIDINGS_LOG_LEVEL": "warning",
            "TIDINGS_DATABASE_CONNECT_TIMEOUT": "2s",
        }
        self.life = self.world.processes.start(["api"], environment | self.settings)
        await until(self.is_ready, "the API is ready")
        return self.life

    async def is_ready(self) -> bool:
        try:
            async with (
                aiohttp.ClientSession(timeout=_PATIENCE) as session,
                session.get(f"{self.url}/readyz") as response,
            ):
                return response.status == 200
        except _LOST:
            return False

    def headers(self, idempotency_key: str) -> dict[str, str]:
        claims = {"sub": "harness", "tenant": "default", "role": self.role, "exp": int(time.time()) + 3600}
        return {
            "Authorization": f"Bearer {jwt.encode(claims, _SECRET, 'HS256')}",
            "Idempotency-Key": idempotency_key,
            "Content-Type": "application/json",
        }

    async def post(self, body: dict[str, Any], idempotency_key: str, path: str = "/v1/facts") -> Reply | None:
        """The reply, or None where the connection was lost before it came."""
        try:
            async with (
                aiohttp.ClientSession(timeout=_PATIENCE) as session,
                session.post(self.url + path, json=body, headers=self.headers(idempotency_key)) as response,
            ):
                return Reply(
                    response.status,
                    {name.lower(): value for name, value in response.headers.items()},
                    await response.json(content_type=None),
                )
        except _LOST:
            return None

    async def post_bytes(self, total: int, *, chunked: bool) -> int:
        """Sends a body of so many bytes for as long as the API takes it. Returns the status of the reply."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {total}"
        head = "".join(f"{name}: {value}\r\n" for name, value in self.headers("large").items())
        writer.write(f"POST /v1/facts HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{head}{length}\r\n\r\n".encode())
        sending = asyncio.create_task(_send_bytes(writer, total, chunked))
        try:
            async with asyncio.timeout(60):
                status = await reader.readline()
            return int(status.split()[1]) if status else 0
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            writer.transport.abort()

    def raw(self, body: dict[str, Any], idempotency_key: str) -> bytes:
        """The same request as bytes, for a client that does not wait for the reply."""
        text = json.dumps(body).encode()
        headers = self.headers(idempotency_key) | {"Host": f"127.0.0.1:{self.port}", "Content-Length": str(len(text))}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"POST /v1/facts HTTP/1.1\r\n{head}\r\n".encode() + text


async def _send_bytes(writer: asyncio.StreamWriter, total: int, chunked: bool) -> None:
    piece = b"x" * 65_536
    for _ in range(total // len(piece) + 1):
        writer.write(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
        await writer.drain()
