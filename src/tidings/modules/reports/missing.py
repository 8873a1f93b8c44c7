"""Slots that were due and that nobody has begun: who owns the schedule hears of it, since nothing else would tell."""

from __future__ import annotations

from tidings.kit.db import Connection
from tidings.modules.reports.model import MODULE, STREAM
from tidings.modules.reports.ticking import LATE_AFTER

# The key of the fact names the slot: it is told of once, however often this looks.
_TELL = """
SELECT tidings.emit_as($1, array_agg('report.missed'::text),
    array_agg(jsonb_build_object('scheduleId', s.id, 'slot', s.next_slot)), array_agg($2::text),
    array_agg(s.id::text), array_agg(s.tenant), array_agg('missed:' || s.id || '@' || s.next_slot), NULL, NULL)
FROM (SELECT * FROM tidings.report_schedules x WHERE x.status = 'active' AND x.next_run_at < now() - $3::interval
      ORDER BY x.next_run_at LIMIT 1000) s HAVING count(*) > 0
"""


async def tell_of_missed_slots(connection: Connection) -> None:
    await connection.execute(_TELL, MODULE, STREAM, LATE_AFTER)
