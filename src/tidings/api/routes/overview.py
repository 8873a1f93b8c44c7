"""A tenant at a glance, over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.overview import OverviewDocument
from tidings.api.openapi import signed_in
from tidings.api.shown.overview import shown_overview
from tidings.spine.access.identity import Role, Scope
from tidings.spine.delivery.overview.overview import overview_of

router = APIRouter(prefix="/v1/overview", tags=["seeing"])
_READ = desk(Role.MEMBER, Scope.OUTBOX_READ)
_DAY = 24 * 60

Minutes = Annotated[int, Query(ge=1, le=_DAY, description="how many, up to now")]


@router.get("", operation_id="overview", response_model=Envelope[OverviewDocument], responses=signed_in())
async def overview(at: Annotated[Desk, _READ], minutes: Minutes = 60) -> Response:
    """What happened minute by minute, what waits, how providers are, what failed last, what was never done yet."""
    found = await overview_of(at.connection, at.tenant, minutes)
    shown = found.without_errors_of(
        providers=not at.identity.may(Role.ADMIN, Scope.PROVIDERS_READ),
        deliveries=not at.identity.may(Role.ADMIN, Scope.NOTICES_READ),
    )
    return answered({"data": shown_overview(shown)})
