"""Asking a server whether it is ready, without a client library."""

from __future__ import annotations

import asyncio

_PATIENCE = 2.0


async def http_ok(host: str, port: int, path: str) -> bool:
    """Whether GET answers 200 now; a server that is not there, or does not answer, is not ready."""
    try:
        return await asyncio.wait_for(_status(host, port, path), _PATIENCE) == 200
    except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError):
        return False


async def _status(host: str, port: int, path: str) -> int:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        status_line = await reader.readuntil(b"\n")
        return int(status_line.split()[1])
    except IndexError:
        raise ValueError("not HTTP") from None
    finally:
        writer.close()
