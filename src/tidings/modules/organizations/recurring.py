"""Sees to it that organisations are looked after from time to time, also where that had come to an end."""

from __future__ import annotations

from datetime import timedelta

from tidings.kit.db import Pool
from tidings.modules.organizations.requests import RECONCILE

_BEGIN = """
SELECT tidings.schedule_as('organizations', ARRAY[$1::text], ARRAY['{}'::jsonb], ARRAY['all'],
    ARRAY[now() + $2::interval], t.tenant, NULL)
FROM (SELECT DISTINCT tenant FROM tidings.organizations_projection ORDER BY tenant) t
"""


async def begin_reconciling(pool: Pool, every: timedelta) -> None:
    """For each tenant that has any. What waits already stays as it is; any number of workers may call this."""
    await pool.execute(_BEGIN, RECONCILE, every)
