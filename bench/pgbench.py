"""Concurrent clients, from PostgreSQL's own load generator."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from bench.plan import Plan
from bench.processes import output_of

_THREADS = "2"


async def commit_rate(plan: Plan, url: str, script: str, clients: int, seconds: int) -> float:
    """Transactions a second, prepared, as many clients at once."""
    file = Path(plan.home) / "transaction.sql"
    file.write_text(script, encoding="utf-8")
    program = plan.server.postgres.binaries.program("pgbench")
    where = urlsplit(url)
    environment = {"PGPASSWORD": where.password or "", "PGHOST": where.hostname or "", "PGPORT": str(where.port)}
    flags = ["-n", "-M", "prepared", "-c", str(clients), "-j", _THREADS, "-T", str(seconds), "-f", str(file)]
    out = await output_of([program, *flags, "-U", where.username or "", where.path[1:]], environment)
    found = re.search(r"tps = ([0-9.]+)", out)
    assert found, out
    return float(found[1])
