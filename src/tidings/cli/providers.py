"""`tidings providers`: what each channel sends through; set up, remove, close a circuit, try."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from tidings.api.shown.deliveries import shown_provider
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
from tidings.kit.errors import ValidationFailed
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import PROVIDERS
from tidings.spine.channels.port import Channel
from tidings.spine.notify.saying import TEMPLATE

if TYPE_CHECKING:  # other commands do not pay for every provider there is
    from tidings.spine.delivery.providers import Provider, Providers

providers = typer.Typer(help="What each channel sends through.", no_args_is_help=True)

IdArgument = Annotated[UUID, typer.Argument(help="the provider's id", metavar="ID")]
ChannelOption = Annotated[str | None, typer.Option("--channel", help="only this channel")]
ConcurrencyOption = Annotated[int | None, typer.Option(min=1, max=10_000, help="most sends at a time")]
RateOption = Annotated[str | None, typer.Option(help="most sends in a time, such as 10/1s or 5000/1d")]
_RATE = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,3}[smhd])")
_HEADS = ("ID", "CHANNEL", "NAME", "TYPE", "PRIORITY", "STATE", "LAST ERROR")


def register(app: typer.Typer) -> None:
    app.add_typer(providers, name="providers")


@providers.command("list")
def list_providers(
    channel: ChannelOption = None, tenant: TenantOption = "default", as_json: JsonOption = False
) -> None:
    """The providers of a tenant, in the order in which each channel uses them."""

    async def run() -> None:
        async with opened(tenant) as known:
            found = await known.list(None if channel is None else _channel(channel))
        text = table_of(found) if found else "No providers."
        show([shown_provider(provider) for provider in found], as_json, text)

    run_async(run())


@providers.command("add")
def add(
    channel: Annotated[str, typer.Argument(help="email, sms, push …", metavar="CHANNEL")],
    type: Annotated[str, typer.Argument(help="smtp, resend, sandbox …", metavar="TYPE")],
    name: Annotated[str | None, typer.Option(help="what it is called; default: its type")] = None,
    config: Annotated[str, typer.Option(help="its configuration in JSON; - reads it from standard input")] = "{}",
    priority: Annotated[int, typer.Option(min=0, max=1_000_000, help="the lowest is used first")] = 100,
    concurrency: ConcurrencyOption = None,
    rate: RateOption = None,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Set a provider up. Secrets are safer on standard input, where no list of processes shows them."""
    from tidings.spine.delivery.providers import NewProvider

    bounds = {"priority": priority, "concurrency": concurrency} | limits(rate)
    wanted = NewProvider(_channel(channel), type, name or type, configuration(config), bounds)

    async def run() -> None:
        async with opened(tenant) as known:
            made = await known.create(wanted)
        show(shown_provider(made), as_json, table_of([made]))

    run_async(run())


@providers.command("remove")
def remove(id: IdArgument, tenant: TenantOption = "default") -> None:
    """Remove a provider and its secrets; what waits for it goes to the next of its channel."""

    async def run() -> None:
        async with opened(tenant) as known:
            await known.remove(id)
        typer.echo(f"{id} is removed.")

    run_async(run())


@providers.command("close")
def close(id: IdArgument, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """Close the circuit of a provider by hand: what waits behind it goes out at once."""

    async def run() -> None:
        async with opened(tenant) as known:
            closed = await known.close(id)
        show(shown_provider(closed), as_json, table_of([closed]))

    run_async(run())


@providers.command("test")
def try_out(
    id: IdArgument,
    person: Annotated[str, typer.Option(help="who gets it: an id, an external id or an e-mail address")],
    template: Annotated[str, typer.Option(help="the template to try")] = TEMPLATE,
    data: Annotated[str, typer.Option(help="a JSON object, what the template is filled with")] = "{}",
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Send a test through a provider, to a person's first address."""
    from tidings.spine.delivery.seeing.who import find_person
    from tidings.spine.delivery.trying import Trials

    values = json_object("--data", data)

    async def run() -> None:
        async with opened(tenant) as known:
            who = await find_person(known.connection, tenant, person)
            delivery = await Trials(known.connection, tenant).send(await known.get(id), who.id, template, values)
        text = f"On its way: `tidings deliveries show {delivery}` says what becomes of it."
        show({"deliveryId": delivery}, as_json, text)

    run_async(run())


@asynccontextmanager
async def opened(tenant: str) -> AsyncIterator[Providers]:
    from tidings.spine.channels.network import open_network
    from tidings.spine.delivery.configuring import Configurations
    from tidings.spine.delivery.providers import Providers

    settings = located_settings()
    async with transaction(settings) as connection:
        await require_tenant(connection, tenant)
        keyring = await unlocked(settings, connection)
        configurations = Configurations(keyring.vault(PROVIDERS), open_network(settings.network))
        yield Providers(connection, tenant, configurations)


def _channel(text: str) -> Channel:
    if text not in set(Channel):
        raise ValidationFailed(f"CHANNEL: must be one of {', '.join(Channel)}")
    return Channel(text)


def configuration(text: str) -> dict[str, Any]:
    return json_object("--config", sys.stdin.read() if text == "-" else text)


def json_object(option: str, text: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except ValueError:
        raise ValidationFailed(f"{option}: must be JSON") from None
    if not isinstance(given, dict):
        raise ValidationFailed(f"{option}: must be a JSON object")
    return given


def limits(rate: str | None) -> dict[str, Any]:
    """As the columns of a provider have them."""
    if rate is None:
        return {}
    if (found := _RATE.fullmatch(rate)) is None:
        raise ValidationFailed("--rate: must be a number and a time, such as 10/1s or 5000/1d")
    from tidings.api.bodies.providers import limits_of

    return limits_of({"rate": {"count": int(found[1]), "period": found[2]}})


def table_of(found: Sequence[Provider]) -> str:
    return table(_HEADS, [_row(provider) for provider in found])


def _row(provider: Provider) -> tuple[object, ...]:
    return (
        provider.id,
        provider.channel,
        provider.name,
        provider.type,
        provider.priority,
        _state(provider),
        provider.last_error if provider.circuit != "closed" else None,
    )


def _state(provider: Provider) -> str:
    if not provider.enabled:
        return "off"
    match provider.circuit:
        case "closed":
            return "on"
        case "trying":
            return "tried again"
        case "open":
            return f"stopped until {utc(provider.open_until)} UTC"
