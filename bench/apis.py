"""API processes of ours, and keys for those who ask them."""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
import sys
from asyncio.subprocess import Process
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass

from bench.processes import output_of, running
from tidings.embedded.ports import LOOPBACK, free_port
from tidings.embedded.probes import http_ok

_TIDINGS = (sys.executable, "-m", "tidings")


@dataclass(frozen=True)
class Apis:
    """On one database, behind a limit of rate that is counted and never reached."""

    settings: Mapping[str, str]

    async def owned(self) -> None:
        """By somebody who makes the keys."""
        owner = ("--email=operator@localhost", "--operator", f"--password={secrets.token_urlsafe()}")
        await output_of((*_TIDINGS, "user", "create", *owner), self.settings)

    async def key(self, name: str) -> str:
        out = await output_of((*_TIDINGS, "key", "create", f"--name={name}", "--json"), self.settings)
        return str(json.loads(out)["secret"])

    async def start(self, stack: AsyncExitStack) -> int:
        """One more process. Returns its port."""
        port = free_port()
        settings = {**self.settings, "TIDINGS_API_PORT": str(port)}
        await ready(await stack.enter_async_context(running((*_TIDINGS, "api"), settings)), port, "/healthz")
        return port


def apis_on(url: str) -> Apis:
    return Apis(
        {
            "TIDINGS_DATABASE_URL": url,
            "TIDINGS_MASTER_KEY": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
            "TIDINGS_API_RATE_LIMIT": "100000000",
            "TIDINGS_TEMPORAL_ADDRESS": f"{LOOPBACK}:{free_port()}",
        }
    )


async def ready(process: Process, port: int, path: str = "/readyz") -> None:
    while not await http_ok(LOOPBACK, port, path):
        if process.returncode is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        await asyncio.sleep(0.05)
