"""`tidings outbox`: what waits, what failed and why; retry, cancel, reschedule, redrive."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

import typer

from tidings.cli.context import located_settings, parse_time, require_tenant, run_async, show, transaction
from tidings.kit.errors import ValidationFailed
from tidings.kit.paging import MOST
from tidings.spine.outbox.administration import Administration
from tidings.spine.outbox.intent_records import DeadFilter, IntentFilter, IntentRecord
from tidings.spine.outbox.states import Status
from tidings.spine.outbox.statistics import Statistics, outbox_statistics

outbox = typer.Typer(help="What must happen: waiting, failing, dead.", no_args_is_help=True)

JSON_OPTION = Annotated[bool, typer.Option("--json", help="print JSON")]
TENANT_OPTION = Annotated[str, typer.Option(help="which tenant")]
ID_ARGUMENT = Annotated[UUID, typer.Argument(help="the intent's id", metavar="ID")]


def register(app: typer.Typer) -> None:
    app.add_typer(outbox, name="outbox")


@outbox.command("list")
def list_intents(
    status: Annotated[str | None, typer.Option(help="pending, processing, failed, succeeded, dead …")] = None,
    kind: Annotated[str | None, typer.Option()] = None,
    limit: Annotated[int, typer.Option(min=1, max=MOST)] = 20,
    tenant: TENANT_OPTION = "default",
    as_json: JSON_OPTION = False,
) -> None:
    """Intents, open and finished, with the last error of each."""

    async def run() -> None:
        async with _administration(tenant) as administration:
            page = await administration.list(IntentFilter(_status(status), kind), None, limit)
        text = "\n".join(_line(intent) for intent in page.items) or "Nothing here."
        show([asdict(intent) for intent in page.items], as_json, text)

    run_async(run())


@outbox.command("stats")
def stats(tenant: TENANT_OPTION = "default", as_json: JSON_OPTION = False) -> None:
    """Counts by kind and status, lag, kinds that no worker serves, streams that stand still."""

    async def run() -> None:
        async with _administration(tenant) as administration:
            found = await outbox_statistics(administration.connection, tenant)
        show(asdict(found), as_json, _summary(found))

    run_async(run())


@outbox.command("retry")
def retry(id: ID_ARGUMENT, tenant: TENANT_OPTION = "default", as_json: JSON_OPTION = False) -> None:
    """Run an intent now: a dead one anew, a waiting one without waiting longer."""
    _change("retry", id, tenant=tenant, as_json=as_json)


@outbox.command("cancel")
def cancel(id: ID_ARGUMENT, tenant: TENANT_OPTION = "default", as_json: JSON_OPTION = False) -> None:
    """Cancel an intent that is open, or put a dead one aside."""
    _change("cancel", id, tenant=tenant, as_json=as_json)


@outbox.command("reschedule")
def reschedule(
    id: ID_ARGUMENT,
    run_at: Annotated[str, typer.Argument(help="ISO 8601 with a timezone", metavar="TIME")],
    tenant: TENANT_OPTION = "default",
    as_json: JSON_OPTION = False,
) -> None:
    """Move an open intent to another time."""
    _change("reschedule", id, parse_time("TIME", run_at), tenant=tenant, as_json=as_json)


@outbox.command("redrive")
def redrive(
    kind: Annotated[str | None, typer.Option(help="only this kind")] = None,
    error: Annotated[str | None, typer.Option(help="only where the error contains this")] = None,
    tenant: TENANT_OPTION = "default",
    as_json: JSON_OPTION = False,
) -> None:
    """Run dead letters anew, in bulk."""

    async def run() -> None:
        async with _administration(tenant) as administration:
            count, more = await administration.redrive(DeadFilter(kind, error))
        text = f"{count} dead letters run anew{'; run it again for the rest' if more else ''}."
        show({"redriven": count, "more": more}, as_json, text)

    run_async(run())


def _change(action: str, *arguments: Any, tenant: str, as_json: bool) -> None:
    async def run() -> None:
        async with _administration(tenant) as administration:
            intent: IntentRecord = await getattr(administration, action)(*arguments)
        show(asdict(intent), as_json, _line(intent))

    run_async(run())


@asynccontextmanager
async def _administration(tenant: str) -> AsyncIterator[Administration]:
    async with transaction(located_settings()) as connection:
        await require_tenant(connection, tenant)
        yield Administration(connection, tenant)


def _status(text: str | None) -> Status | None:
    if text is not None and text not in set(Status):
        raise ValidationFailed(f"--status: must be one of {', '.join(Status)}")
    return None if text is None else Status(text)


def _line(intent: IntentRecord) -> str:
    when = (intent.finished_at or intent.run_at).strftime("%Y-%m-%d %H:%M:%S")
    error = f"  {intent.last_error}" if intent.last_error else ""
    return f"{intent.id}  {intent.status:10} {intent.kind:28} {when}  tried {intent.attempts}x{error}"


def _summary(found: Statistics) -> str:
    lines = [f"{count.kind:32} {count.status:11} {count.count:>9}" for count in found.counts] or ["Nothing here."]
    lines += [f"{lag.kind:32} is {lag.seconds:.0f} s late" for lag in found.lag if lag.seconds >= 1]
    lines += [f"{kind:32} is served by no worker" for kind in found.kinds_without_worker]
    lines += [f"{stream.kind:32} stream {stream.stream} waits for {stream.blocked_by}" for stream in found.blocked]
    return "\n".join(lines)
