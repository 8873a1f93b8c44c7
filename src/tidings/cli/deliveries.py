"""`tidings deliveries`: what waits, what failed and why, what was tried; retry."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated
from uuid import UUID

import typer

from tidings.api.shown.deliveries import shown_delivery, shown_in_full
from tidings.cli.context import (
    JsonOption,
    LimitOption,
    TenantOption,
    fields,
    located_settings,
    parse_time,
    require_tenant,
    run_async,
    show,
    table,
    transaction,
    utc,
)
from tidings.kit.db import Connection
from tidings.kit.errors import ValidationFailed
from tidings.kit.paging import DEFAULT_LIMIT
from tidings.spine.delivery.administration import DeliveryAdministration, RetryFilter
from tidings.spine.delivery.records import AttemptRecord, DeliveryFilter, DeliveryRecord, Records, Status

deliveries = typer.Typer(help="Messages on their way: waiting, sent, failed.", no_args_is_help=True)

_HEADS = ("ID", "STATUS", "CHANNEL", "TO", "PROVIDER", "TRIED", "MADE (UTC)", "LAST ERROR")
_HISTORY = ("ENDED (UTC)", "OUTCOME", "PROVIDER", "TOOK", "REASON OR RECEIPT")


def register(app: typer.Typer) -> None:
    app.add_typer(deliveries, name="deliveries")


@deliveries.command("list")
def list_deliveries(
    status: Annotated[str | None, typer.Option(help="pending, deferred, unknown, sent, skipped, failed …")] = None,
    channel: Annotated[str | None, typer.Option(help="only this channel")] = None,
    provider: Annotated[UUID | None, typer.Option(help="only of this provider")] = None,
    notice: Annotated[UUID | None, typer.Option(help="only of this notice")] = None,
    person: Annotated[UUID | None, typer.Option(help="only to this person")] = None,
    since: Annotated[str | None, typer.Option(help="made then or later; ISO 8601 with a timezone")] = None,
    limit: LimitOption = DEFAULT_LIMIT,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Deliveries, open and finished, the newest first."""
    wanted = DeliveryFilter(
        _status(status), channel, provider, notice, person, None if since is None else parse_time("--since", since)
    )

    async def run() -> None:
        async with _connection(tenant) as connection:
            page = await Records(connection, tenant).list(wanted, None, limit)
        text = table(_HEADS, [_row(delivery) for delivery in page.items]) if page.items else "Nothing here."
        show([shown_delivery(delivery) for delivery in page.items], as_json, text)

    run_async(run())


@deliveries.command("show")
def show_delivery(
    id: Annotated[UUID, typer.Argument(help="the delivery's id", metavar="ID")],
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """One delivery in full, with every attempt."""

    async def run() -> None:
        async with _connection(tenant) as connection:
            records = Records(connection, tenant)
            delivery, history = await records.get(id), await records.attempts(id)
        show(shown_in_full(delivery, history), as_json, _in_full(delivery, history))

    run_async(run())


@deliveries.command("retry")
def retry(
    id: Annotated[UUID | None, typer.Argument(help="one delivery; without it, all that failed", metavar="[ID]")] = None,
    channel: Annotated[str | None, typer.Option(help="only this channel")] = None,
    provider: Annotated[UUID | None, typer.Option(help="only of this provider")] = None,
    error: Annotated[str | None, typer.Option(help="only where the error contains this")] = None,
    since: Annotated[str | None, typer.Option(help="failed then or later; ISO 8601 with a timezone")] = None,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Send again what failed, under the same key: one delivery, or all that match."""
    moment = None if since is None else parse_time("--since", since)

    async def run() -> None:
        async with _connection(tenant) as connection:
            administration = DeliveryAdministration(connection, tenant)
            if id is not None:
                delivery = await administration.retry(id)
                return show(shown_delivery(delivery), as_json, table(_HEADS, [_row(delivery)]))
            count, more = await administration.retry_many(RetryFilter(provider, channel, error, moment))
            again = "; run it again for the rest" if more else ""
            text = f"{count} {'delivery is' if count == 1 else 'deliveries are'} sent again{again}."
            return show({"retried": count, "more": more}, as_json, text)

    run_async(run())


@asynccontextmanager
async def _connection(tenant: str) -> AsyncIterator[Connection]:
    async with transaction(located_settings()) as connection:
        await require_tenant(connection, tenant)
        yield connection


def _status(text: str | None) -> Status | None:
    if text is not None and text not in set(Status):
        raise ValidationFailed(f"--status: must be one of {', '.join(Status)}")
    return None if text is None else Status(text)


def _row(delivery: DeliveryRecord) -> tuple[object, ...]:
    return (
        delivery.id,
        delivery.status,
        delivery.channel,
        delivery.address,
        delivery.provider_name,
        delivery.attempts,
        utc(delivery.created_at),
        delivery.last_error,
    )


def _in_full(delivery: DeliveryRecord, history: Sequence[AttemptRecord]) -> str:
    most = "" if delivery.max_attempts is None else f" of {delivery.max_attempts}"
    head = fields(
        {
            "id": delivery.id,
            "status": delivery.status,
            "channel": delivery.channel,
            "to": delivery.address,
            "person": delivery.person_id,
            "notice": delivery.notice_id,
            "provider": delivery.provider_name,
            "tried": f"{delivery.attempts}{most}",
            "made": f"{utc(delivery.created_at)} UTC",
            "next" if delivery.finished_at is None else "ended": f"{utc(delivery.finished_at or delivery.run_at)} UTC",
            "receipt": delivery.receipt,
            "confirmed": delivery.confirmed,
            "last error": delivery.last_error,
        }
    )
    return f"{head}\n\n{table(_HISTORY, [_line(attempt) for attempt in history])}" if history else head


def _line(attempt: AttemptRecord) -> tuple[object, ...]:
    took = "" if attempt.took is None else f"{attempt.took.total_seconds():.2f} s"
    return utc(attempt.ended_at), attempt.outcome, attempt.provider_name, took, attempt.reason or attempt.receipt
