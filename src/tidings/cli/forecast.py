"""`tidings forecast`: what will be sent in the next days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated

import typer

from tidings.api.shown.seeing import shown_forecast
from tidings.cli.context import (
    JsonOption,
    LimitOption,
    TenantOption,
    located_settings,
    require_tenant,
    run_async,
    show,
    table,
    transaction,
    utc,
)
from tidings.kit.errors import ValidationFailed
from tidings.kit.paging import DEFAULT_LIMIT
from tidings.spine.delivery.seeing.forecast import Coming, Forecast, Forecasts
from tidings.spine.notify.people.fields import timezone


def register(app: typer.Typer) -> None:
    app.command("forecast")(forecast)


def forecast(
    days: Annotated[int, typer.Option(min=1, max=31, help="how many days ahead")] = 7,
    tz: Annotated[str, typer.Option(help="the timezone whose hours are counted by")] = "UTC",
    limit: LimitOption = DEFAULT_LIMIT,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """What will be sent in the next days, from the rows that exist: by hour, and the next ones one by one."""
    zone = _zone(tz)

    async def run() -> None:
        async with transaction(located_settings()) as connection:
            await require_tenant(connection, tenant)
            found = await Forecasts(connection, tenant).of(timedelta(days=days), zone, None, limit)
        show(shown_forecast(found, zone), as_json, "\n".join(_told(found, zone)))

    run_async(run())


def _zone(text: str) -> str:
    try:
        return timezone(text)
    except ValueError as error:
        raise ValidationFailed(f"--tz: {error}") from None


def _told(found: Forecast, zone: str) -> Iterator[str]:
    if not found.expected and not found.held:
        yield "Nothing is to come."
        return
    rows = [(_hour(each.local), each.what, each.name, each.count) for each in found.expected]
    yield table((f"HOUR ({zone})", "WHAT", "KIND OR CHANNEL", "COUNT"), rows)
    if found.capped:
        yield "There is more of some of them than was counted."
    if found.held:
        yield f"{found.held} held: somebody has to decide about them."
    yield from (f"{name} is served by no worker" for name in found.unserved)
    yield ""
    yield table(("TIME (UTC)", "WHAT", "KIND OR CHANNEL", "ABOUT"), [_row(each) for each in found.coming.items])


def _hour(local: datetime) -> str:
    return local.strftime("%Y-%m-%d %H:00")


def _row(each: Coming) -> tuple[str, ...]:
    return utc(each.at), each.what, each.name, f"{each.title or each.fact_type or ''}{_reach(each)}"


def _reach(each: Coming) -> str:
    if each.people is None:
        return ""
    return (
        f", to {'more than ' if each.people_capped else ''}{each.people} {'person' if each.people == 1 else 'people'}"
    )
