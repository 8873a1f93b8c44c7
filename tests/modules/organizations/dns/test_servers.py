"""Cloudflare's stand-in as a program of its own, for tests whose workers are processes."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.modules.organizations.dns.cases import at_once, settings_for
from tests.modules.organizations.dns.servers.cloudflare import Cloudflare
from tidings.modules.organizations.dns.cloudflare import CloudflareDns, opened
from tidings.modules.organizations.dns.port import DnsFailed, NewRecord

ROOT = Path(__file__).parents[4]
WANTED = NewRecord("CNAME", "acme.example.com", "app.example.com", proxied=True, comment="tidings 1234")


async def test_it_is_told_and_asked_over_http() -> None:
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.modules.organizations.dns.servers.cloudflare", "--zone", "example.com"),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert program.stdout is not None
    try:
        url = httpx.URL((await program.stdout.readline()).decode().strip())
        settings = settings_for(Cloudflare(port=url.port or 0))
        dns = CloudflareDns(opened(settings), at_once, settings.dns.deadline)
        async with httpx.AsyncClient(base_url=url.copy_with(path="/"), trust_env=False) as test:
            await _tried(dns, test)
        await dns.close()
    finally:
        program.terminate()
        await program.communicate()


async def _tried(dns: CloudflareDns, test: httpx.AsyncClient) -> None:
    zone = await dns.zone("example.com")
    await _told(test, "/_faults", {"ends": "resets", "method": "POST", "takes_effect": "later"})
    with pytest.raises(DnsFailed):
        await dns.create(zone, WANTED)
    assert await dns.records(zone) == []
    await _told(test, "/_land", None)
    await _told(test, "/_records", {"zone": "example.com", "name": "b.example.com", "content": "x.example.com"})
    assert [record.name for record in await dns.records(zone)] == ["acme.example.com", "b.example.com"]
    await _told(test, "/_lag", 1)
    there = (await test.get("/_records")).json()
    assert [record["name"] for record in there["example.com"]] == ["acme.example.com", "b.example.com"]
    ledger = (await test.get("/_ledger")).json()
    assert [(asked["method"], asked["status"]) for asked in ledger] == [
        ("GET", 200),
        ("POST", None),
        ("GET", 200),
        ("GET", 200),
    ]


async def _told(test: httpx.AsyncClient, path: str, what: Any) -> None:
    (await test.post(path, json=what)).raise_for_status()
