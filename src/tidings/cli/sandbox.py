"""`tidings sandbox`: what was kept instead of being sent, as it would have looked."""

from __future__ import annotations

import tempfile
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from tidings.api.shown.deliveries import shown_kept, shown_kept_in_full
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
from tidings.kit.errors import NotFound
from tidings.kit.paging import DEFAULT_LIMIT
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import KEPT_MESSAGES
from tidings.spine.delivery.kept import KeptMessage, KeptMessages

sandbox = typer.Typer(help="What was kept instead of being sent.", no_args_is_help=True)

_HEADS = ("ID", "CHANNEL", "TO", "SUBJECT OR TEXT", "KEPT (UTC)")
_SHORT = 60


def register(app: typer.Typer) -> None:
    app.add_typer(sandbox, name="sandbox")


@sandbox.command("list")
def list_kept(
    channel: Annotated[str | None, typer.Option(help="only this channel")] = None,
    limit: LimitOption = DEFAULT_LIMIT,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """What the sandbox kept, the newest first."""

    async def run() -> None:
        async with _messages(tenant) as messages:
            page = await messages.list(channel, None, limit)
        rows = [_row(kept) for kept in page.items]
        show([shown_kept(kept) for kept in page.items], as_json, table(_HEADS, rows) if rows else "Nothing here.")

    run_async(run())


@sandbox.command("show")
def show_kept(
    id: Annotated[UUID, typer.Argument(help="the message's id", metavar="ID")],
    html: Annotated[Path | None, typer.Option(help="write the HTML of a mail to this file")] = None,
    in_browser: Annotated[bool, typer.Option("--open", help="open the HTML of a mail in a browser")] = False,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """One message, as it would have looked."""

    async def run() -> None:
        async with _messages(tenant) as messages:
            kept = await messages.get(id)
        if html is not None or in_browser:
            _write(kept, html, in_browser)
            return
        show(shown_kept_in_full(kept), as_json, _as_it_looked(kept))

    run_async(run())


@sandbox.command("clear")
def clear(tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """Remove everything that the sandbox kept for a tenant."""

    async def run() -> None:
        async with _messages(tenant) as messages:
            removed = await messages.clear()
        show({"removed": removed}, as_json, f"{removed} removed.")

    run_async(run())


@asynccontextmanager
async def _messages(tenant: str) -> AsyncIterator[KeptMessages]:
    settings = located_settings()
    async with transaction(settings) as connection:
        await require_tenant(connection, tenant)
        yield KeptMessages(connection, tenant, (await unlocked(settings, connection)).vault(KEPT_MESSAGES))


def _row(kept: KeptMessage) -> tuple[object, ...]:
    content = kept.content or {"to": "(sealed with another master key)"}
    words = content.get("subject") or content.get("text") or ""
    return kept.id, kept.channel, content.get("to"), words[:_SHORT], utc(kept.created_at)


def _write(kept: KeptMessage, file: Path | None, in_browser: bool) -> None:
    content = _content(kept)
    if not content.get("html"):
        raise NotFound("--html: this message has none")
    if file is None:
        file = Path(tempfile.mkdtemp(prefix="tidings-")) / f"{kept.id}.html"
    file.write_text(content["html"], encoding="utf-8")
    typer.echo(str(file))
    if in_browser:
        webbrowser.open(file.resolve().as_uri())


def _as_it_looked(kept: KeptMessage) -> str:
    """The head of a message, and its text."""
    content = _content(kept)
    name = content.get("name")
    head = {
        "To": f"{name} <{content['to']}>" if name and kept.channel == "email" else content["to"],
        "Subject": content.get("subject"),
        "Date": f"{utc(kept.created_at)} UTC",
        "Channel": kept.channel,
        "Unsubscribe": content.get("unsubscribeUrl"),
        **({} if kept.channel == "email" else {b["label"]: b["url"] for b in content.get("buttons", [])}),
        "Attachments": ", ".join(a["name"] for a in content.get("attachments", [])) or None,
    }
    lines = [f"{field}: {' '.join(str(value).split())}" for field, value in head.items() if value is not None]
    return "\n".join([*lines, "", content.get("text") or ""])


def _content(kept: KeptMessage) -> dict[str, Any]:
    if kept.content is None:
        raise NotFound("This message was sealed with a master key that is not set.")
    return kept.content
