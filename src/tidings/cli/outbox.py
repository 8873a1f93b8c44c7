"""`tidings outbox`: what waits, what failed and why; show, retry, cancel, reschedule, redrive."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any
from uuid import UUID

import typer

from tidings.api.shown import shown_intent, shown_statistics
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
from tidings.kit.errors import ValidationFailed
from tidings.kit.paging import DEFAULT_LIMIT
from tidings.spine.notify.forgetting import forget
from tidings.spine.outbox.administration import Administration
from tidings.spine.outbox.intent_records import DeadFilter, IntentFilter, IntentRecord
from tidings.spine.outbox.states import Status
from tidings.spine.outbox.statistics import Statistics, outbox_statistics

outbox = typer.Typer(help="What must happen: waiting, failing, dead.", no_args_is_help=True)

IdArgument = Annotated[UUID, typer.Argument(help="the intent's id", metavar="ID")]
_HEADS = ("ID", "STATUS", "KIND", "KEY", "TIME (UTC)", "TRIED", "LAST ERROR")


def register(app: typer.Typer) -> None:
    app.add_typer(outbox, name="outbox")


@outbox.command("list")
def list_intents(
    status: Annotated[str | None, typer.Option(help="pending, processing, failed, succeeded, dead …")] = None,
    kind: Annotated[str | None, typer.Option(help="only this kind")] = None,
    key_prefix: Annotated[str | None, typer.Option(help="only where the key begins like this")] = None,
    limit: LimitOption = DEFAULT_LIMIT,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Intents, open and finished, the newest first, with the last error of each."""
    wanted = IntentFilter(_status(status), kind, key_prefix)

    async def run() -> None:
        async with _administration(tenant) as administration:
            page = await administration.list(wanted, None, limit)
        text = _lines(page.items) if page.items else "Nothing here."
        show([shown_intent(intent) for intent in page.items], as_json, text)

    run_async(run())


@outbox.command("show")
def show_intent(id: IdArgument, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """One intent in full."""

    async def run() -> None:
        async with _administration(tenant) as administration:
            intent = await administration.get(id)
        show(shown_intent(intent), as_json, _in_full(intent))

    run_async(run())


@outbox.command("stats")
def stats(tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """Counts by kind and status, lag, kinds that no worker serves, streams that stand still."""

    async def run() -> None:
        async with _administration(tenant) as administration:
            found = await outbox_statistics(administration.connection, tenant)
        show(shown_statistics(found), as_json, _summary(found))

    run_async(run())


@outbox.command("retry")
def retry(id: IdArgument, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """Run an intent now: a dead one anew, a waiting one without waiting longer."""
    _change("retry", id, tenant=tenant, as_json=as_json)


@outbox.command("cancel")
def cancel(id: IdArgument, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """Cancel an intent that is open, or put a dead one aside."""
    _change("cancel", id, tenant=tenant, as_json=as_json)


@outbox.command("reschedule")
def reschedule(
    id: IdArgument,
    run_at: Annotated[str, typer.Argument(help="ISO 8601 with a timezone", metavar="TIME")],
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Move an open intent to another time."""
    try:
        _change("reschedule", id, parse_time("TIME", run_at), tenant=tenant, as_json=as_json)
    except ValidationFailed as error:
        raise ValidationFailed(error.detail.replace("runAt: ", "TIME: ", 1)) from None


@outbox.command("redrive")
def redrive(
    kind: Annotated[str | None, typer.Option(help="only this kind")] = None,
    error: Annotated[str | None, typer.Option(help="only where the error contains this")] = None,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Run dead letters anew, in bulk."""

    async def run() -> None:
        async with _administration(tenant) as administration:
            count, more = await administration.redrive(DeadFilter(kind, error))
        letters = "dead letter runs" if count == 1 else "dead letters run"
        text = f"{count} {letters} anew{'; run it again for the rest' if more else ''}."
        show({"redriven": count, "more": more}, as_json, text)

    run_async(run())


@outbox.command("forget")
def forget_kind(
    kind: Annotated[str, typer.Argument(help="of a handler or a listener that is gone, as `stats` shows it")],
    sure: Annotated[bool, typer.Option("--yes", help="do it: what waits for it will not run")] = False,
    as_json: JsonOption = False,
) -> None:
    """Forget a kind that no worker serves any more: what waits for it is cancelled, and facts cause no more of it."""
    if not sure:
        raise typer.BadParameter("say --yes: what waits for it will not run")

    async def run() -> int:
        from tidings.app.worker import all_listeners

        settings = located_settings()
        async with transaction(settings) as connection:
            return await forget(connection, kind, all_listeners(settings, ()))

    cancelled = run_async(run())
    show({"cancelled": cancelled}, as_json, f"{kind} is forgotten; {cancelled} that waited for it will not run.")


def _change(action: str, *arguments: Any, tenant: str, as_json: bool) -> None:
    async def run() -> None:
        async with _administration(tenant) as administration:
            intent: IntentRecord = await getattr(administration, action)(*arguments)
        show(shown_intent(intent), as_json, _lines([intent]))

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


def _lines(intents: Sequence[IntentRecord]) -> str:
    rows = [
        (intent.id, intent.status, intent.kind, intent.key, _when(intent), intent.attempts, intent.last_error)
        for intent in intents
    ]
    return table(_HEADS, rows)


def _when(intent: IntentRecord) -> str:
    if intent.finished_at is not None:
        return f"ended {utc(intent.finished_at)}"
    return f"{'due' if intent.status == Status.PROCESSING else 'runs'} {utc(intent.run_at)}"


def _in_full(intent: IntentRecord) -> str:
    most = "" if intent.max_attempts is None else f" of {intent.max_attempts}"
    return fields(
        {
            "id": intent.id,
            "tenant": intent.tenant,
            "kind": intent.kind,
            "key": intent.key,
            "fact": intent.fact_id,
            "stream": intent.stream,
            "version": intent.stream_version,
            "payload": intent.payload,
            "status": intent.status,
            "time": f"{_when(intent)} UTC",
            "due": f"{utc(intent.due_at)} UTC",
            "made": f"{utc(intent.created_at)} UTC",
            "tried": f"{intent.attempts}{most}",
            "crashes": intent.crashes or None,
            "last error": intent.last_error,
        }
    )


def _summary(found: Statistics) -> str:
    lines = [f"{count.kind:32} {count.status:11} {count.count:>9}" for count in found.counts] or ["Nothing here."]
    lines += [f"{lag.kind:32} is {lag.seconds:.0f} s late" for lag in found.lag if lag.seconds >= 1]
    lines += [f"{kind:32} is served by no worker" for kind in found.kinds_without_worker]
    lines += [f"{stream.kind:32} stream {stream.stream} waits for {stream.blocked_by}" for stream in found.blocked]
    return "\n".join(lines)
