"""What the module writes beside its own rows: facts, on the stream of their schedule. They carry ids alone."""

from __future__ import annotations

import json
from uuid import UUID

from tidings.kit.db import Connection
from tidings.modules.reports.model import MODULE, STREAM
from tidings.spine.outbox.intents import Row


async def record(connection: Connection, tenant: str, what: str, run: Row, cause: UUID | None = None) -> None:
    """`report.<what>` of a row of `tidings.report_runs`, once."""
    metadata = {} if cause is None else {"causation_id": str(cause)}
    await connection.execute(
        """SELECT tidings.emit_as($1, ARRAY[$2::text], ARRAY[$3::text::jsonb], ARRAY[$4::text], ARRAY[$5::text],
               ARRAY[$6::text], ARRAY[$7::text], NULL, ARRAY[$8::text::jsonb])""",
        MODULE,
        f"report.{what}",
        json.dumps({"scheduleId": run["schedule_id"], "runId": run["id"]}),
        STREAM,
        str(run["schedule_id"]),
        tenant,
        f"{what}:{run['id']}",
        json.dumps(metadata),
    )
