"""`tidings templates`: how what is said looks, by channel and language; list, save, preview, retire."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

import typer

from tidings.api.shown.rules import shown_template
from tidings.cli.context import (
    JsonOption,
    TenantOption,
    located_settings,
    require_tenant,
    run_async,
    show,
    table,
    transaction,
    utc,
)
from tidings.cli.providers import json_object
from tidings.cli.rules import ACTOR
from tidings.kit.errors import ValidationFailed
from tidings.spine.notify.template_store import Template, TemplateKey, Templates

templates = typer.Typer(help="How what is said looks.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="what it is called, such as receipt", metavar="NAME")]
ChannelArgument = Annotated[str, typer.Argument(help="email, sms, push …", metavar="CHANNEL")]
LocaleOption = Annotated[str, typer.Option(help="a language, such as it or pt-BR; none: for everybody else")]
_HEADS = ("NAME", "CHANNEL", "LOCALE", "VERSION", "SAVED (UTC)")
_MOST = 1_000


def register(app: typer.Typer) -> None:
    app.add_typer(templates, name="templates")


@templates.command("list")
def list_templates(tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """The templates in use: a tenant's own, and ours where it has none."""

    async def run() -> None:
        async with _templates(tenant) as kept:
            page = await kept.list(None, _MOST)
        show([shown_template(each) for each in page.items], as_json, table(_HEADS, [_row(each) for each in page.items]))

    run_async(run())


@templates.command("save")
def save(
    name: NameArgument,
    channel: ChannelArgument,
    subject: Annotated[str | None, typer.Option(help="of a mail; a title, where the channel has one")] = None,
    markup: Annotated[Path | None, typer.Option(help="a file of MJML, for mails", exists=True, dir_okay=False)] = None,
    text: Annotated[Path | None, typer.Option(help="a file of plain text", exists=True, dir_okay=False)] = None,
    locale: LocaleOption = "",
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Save a template as its next version. The same again makes none."""

    async def run() -> None:
        from tidings.spine.notify.templates.checking import Checker
        from tidings.spine.notify.templates.rendering import Renderer
        from tidings.spine.notify.templates.sources import Source

        source = Source(subject, _read(markup), _read(text))
        key = _key(name, channel, locale)
        if faults := Checker(Renderer()).faults(source, channel):
            raise ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), tuple(faults))
        async with _templates(tenant) as kept:
            saved = await kept.save(key, source, ACTOR)
        show(shown_template(saved), as_json, table(_HEADS, [_row(saved)]))

    run_async(run())


@templates.command("retire")
def retire(
    name: NameArgument, channel: ChannelArgument, locale: LocaleOption = "", tenant: TenantOption = "default"
) -> None:
    """Use a template no more; the next nearest is used from then on. Its versions stay."""

    async def run() -> None:
        async with _templates(tenant) as kept:
            await kept.retire(_key(name, channel, locale), ACTOR)
        typer.echo(f"{name} is not used for {channel} any more.")

    run_async(run())


@templates.command("preview")
def preview(
    name: NameArgument,
    channel: ChannelArgument,
    data: Annotated[str, typer.Option(help="a JSON object, in place of a fact's")] = "{}",
    html: Annotated[Path | None, typer.Option(help="write the HTML of a mail to this file")] = None,
    locale: LocaleOption = "",
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """What somebody would get by a template. Nothing is sent."""

    async def run() -> None:
        from tidings.api.bodies.templates import NoticeBody
        from tidings.spine.notify.previewing import Previews, Wanted
        from tidings.spine.notify.templates.rendering import Renderer

        _key(name, channel, locale)
        said = NoticeBody().model_dump()
        wanted = Wanted(channel, name, locale=locale or None, data=json_object("--data", data), notice=said)
        async with _templates(tenant) as kept:
            shown = await Previews(kept.connection, tenant, Renderer()).preview(wanted)
        if html is not None:
            html.write_text(shown.html or "", encoding="utf-8")
        document = {"subject": shown.subject, "text": shown.text, "html": shown.html}
        show(document, as_json, f"Subject: {shown.subject}\n\n{shown.text}" if shown.subject else shown.text)

    run_async(run())


@asynccontextmanager
async def _templates(tenant: str) -> AsyncIterator[Templates]:
    async with transaction(located_settings()) as connection:
        await require_tenant(connection, tenant)
        yield Templates(connection, tenant)


def _key(name: str, channel: str, locale: str) -> TemplateKey:
    """As the API takes it: one spelling for each language."""
    from tidings.api.bodies.templates import LOCALE, spelt
    from tidings.spine.notify.rules.fields import SLUG
    from tidings.spine.notify.templates.channels import CHANNELS

    if not re.search(SLUG, name):
        raise ValidationFailed("NAME: must be a word of small letters, digits, dots and dashes, such as receipt")
    if channel not in CHANNELS:
        raise ValidationFailed(f"CHANNEL: must be one of {', '.join(CHANNELS)}")
    if locale and not re.search(LOCALE, locale):
        raise ValidationFailed("--locale: must be a language, such as it or pt-BR")
    return TemplateKey(name, channel, spelt(locale))


def _read(file: Path | None) -> str | None:
    return None if file is None else file.read_text(encoding="utf-8")


def _row(template: Template) -> tuple[object, ...]:
    key = template.key
    return key.name, key.channel, key.locale, template.version or "ours", utc(template.created_at)
