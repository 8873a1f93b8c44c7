"""Requests of people and programs that have no sign-in: one rate for each address they come from."""

from __future__ import annotations

from datetime import timedelta

from starlette.requests import Request

from tidings.api.credentials import client_address
from tidings.api.desk import parts_of
from tidings.spine.access.limiter import Limiter

_PERIOD = timedelta(minutes=1)


async def limit_stranger(request: Request, what: str) -> None:
    """`RateLimited` for who asks too often. As many as a user may: providers tell of many messages from one address,
    and behind a proxy all come from one."""
    parts = parts_of(request)
    bucket = f"{what}:address:{client_address(request.scope)}"
    (await Limiter(parts.pool).take(bucket, parts.settings.api.rate_limit, _PERIOD)).require()
