"""A process that asks Cloudflare for a zone many times at once, by the settings in its environment."""

from __future__ import annotations

import asyncio
import sys

from tidings.kit import db
from tidings.kit.settings import load_settings
from tidings.modules.organizations.dns.opening import open_dns


async def ask(domain: str, times: int) -> None:
    settings = load_settings()
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="asking", size=2)
    dns = open_dns(settings, pool)
    await asyncio.gather(*(dns.zone(domain) for _ in range(times)))
    await dns.close()
    await pool.close()


if __name__ == "__main__":
    asyncio.run(ask(sys.argv[1], int(sys.argv[2])))
