"""What will be sent, over HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AfterValidator
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents.seeing import ForecastReply
from tidings.api.openapi import signed_in
from tidings.api.shapes import PAGE, Cursor, Day, Limit
from tidings.api.shown.seeing import shown_forecast
from tidings.spine.access.identity import Role, Scope
from tidings.spine.delivery.seeing.forecast import Forecasts
from tidings.spine.notify.people import fields

router = APIRouter(prefix="/v1/forecast", tags=["seeing"])
_READ = desk(Role.ADMIN, Scope.NOTICES_READ)

Days = Annotated[int, Query(ge=1, le=31, description="how many days ahead")]
Zone = Annotated[
    str,
    Query(max_length=64, pattern=fields.ZONE, description="of the IANA database; hours are by its clock"),
    AfterValidator(fields.timezone),
]
OnDay = Annotated[Day | None, Query(description="only what comes on this day of that zone is listed; all is counted")]


@router.get("", operation_id="forecast", response_model=ForecastReply, responses=signed_in())
async def forecast(
    at: Annotated[Desk, _READ],
    days: Days = 7,
    tz: Zone = "UTC",
    day: OnDay = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """What will be sent in the next days, from the rows that exist: by hour, and one by one, the next first."""
    found = await Forecasts(at.connection, at.tenant).of(
        timedelta(days=days), tz, at.position("forecast", cursor), limit, day
    )
    position = found.coming.next_position
    following = None if position is None else at.parts.cursors.write("forecast", at.tenant, position)
    pagination = {"nextCursor": following, "hasMore": following is not None}
    return answered({"data": shown_forecast(found, tz), "pagination": pagination})
