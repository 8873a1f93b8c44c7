"""`tidings facts`: what happened, as it was recorded."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated
from uuid import UUID

import typer

from tidings.api.shown import shown_fact
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
from tidings.kit.paging import DEFAULT_LIMIT
from tidings.spine.journal.reading import Fact, FactFilter, Facts

facts = typer.Typer(help="What happened: the journal.", no_args_is_help=True)

_HEADS = ("ID", "TYPE", "STREAM", "RECORDED (UTC)", "DATA")
_LONGEST_DATA = 100


def register(app: typer.Typer) -> None:
    app.add_typer(facts, name="facts")


@facts.command("list")
def list_facts(
    type: Annotated[str | None, typer.Option(help="a type; with * at its end, all that begin like it")] = None,
    stream: Annotated[str | None, typer.Option(help="TYPE or TYPE/ID, such as order/7")] = None,
    since: Annotated[str | None, typer.Option(help="recorded at this time or later; ISO 8601 with a timezone")] = None,
    until: Annotated[str | None, typer.Option(help="recorded before this time")] = None,
    limit: LimitOption = DEFAULT_LIMIT,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Facts, the newest first."""
    stream_type, _, stream_id = (stream or "").partition("/")
    wanted = FactFilter(
        type,
        stream_type or None,
        stream_id or None,
        None if since is None else parse_time("--since", since),
        None if until is None else parse_time("--until", until),
    )

    async def run() -> None:
        async with _journal(tenant) as journal:
            page = await journal.list(wanted, None, limit)
        rows = [(fact.id, fact.type, _stream(fact), utc(fact.occurred_at), _short(fact.data)) for fact in page.items]
        show([shown_fact(fact) for fact in page.items], as_json, table(_HEADS, rows) if rows else "Nothing here.")

    run_async(run())


@facts.command("show")
def show_fact(
    id: Annotated[UUID, typer.Argument(help="the fact's id", metavar="ID")],
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """One fact in full."""

    async def run() -> None:
        async with _journal(tenant) as journal:
            fact = await journal.get(id)
        show(shown_fact(fact), as_json, _in_full(fact))

    run_async(run())


@asynccontextmanager
async def _journal(tenant: str) -> AsyncIterator[Facts]:
    async with transaction(located_settings()) as connection:
        await require_tenant(connection, tenant)
        yield Facts(connection, tenant)


def _stream(fact: Fact) -> str:
    return "" if fact.stream_type is None else f"{fact.stream_type}/{fact.stream_id}"


def _short(data: str) -> str:
    return data if len(data) <= _LONGEST_DATA else f"{data[: _LONGEST_DATA - 1]}…"


def _in_full(fact: Fact) -> str:
    return fields(
        {
            "id": fact.id,
            "tenant": fact.tenant,
            "type": fact.type,
            "stream": _stream(fact),
            "version": fact.stream_version,
            "recorded": f"{utc(fact.occurred_at)} UTC",
            "data": fact.data,
            "metadata": fact.metadata,
        }
    )
