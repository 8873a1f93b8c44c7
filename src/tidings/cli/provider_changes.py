"""`tidings providers set`, `enable` and `disable`: changes to a provider that is there."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

import typer

from tidings.api.shown.deliveries import shown_provider
from tidings.cli.context import JsonOption, TenantOption, run_async, show
from tidings.cli.providers import (
    ConcurrencyOption,
    IdArgument,
    RateOption,
    configuration,
    limits,
    opened,
    providers,
    table_of,
)


def register(app: typer.Typer) -> None:
    del app  # they are commands of `tidings providers`
    providers.command("set")(set_provider)
    providers.command("enable")(enable)
    providers.command("disable")(disable)


def set_provider(
    id: IdArgument,
    name: Annotated[str | None, typer.Option(help="what it is called")] = None,
    config: Annotated[
        str | None, typer.Option(help="its configuration in JSON; - reads it from standard input")
    ] = None,
    priority: Annotated[int | None, typer.Option(min=0, max=1_000_000, help="the lowest is used first")] = None,
    concurrency: ConcurrencyOption = None,
    rate: RateOption = None,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Change what is given; the rest stays. Of a configuration, only secrets may be left out: they stay too."""
    given = {"name": name, "priority": priority, "concurrency": concurrency}
    changes = {key: value for key, value in given.items() if value is not None}
    _change(id, changes | limits(rate), None if config is None else configuration(config), tenant, as_json)


def enable(id: IdArgument, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """Use a provider again. What waited for it goes out."""
    _change(id, {"enabled": True}, None, tenant, as_json)


def disable(id: IdArgument, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """Use a provider no more. What is meant for it waits, or goes to the next of its channel that works."""
    _change(id, {"enabled": False}, None, tenant, as_json)


def _change(id: UUID, changes: dict[str, Any], config: dict[str, Any] | None, tenant: str, as_json: bool) -> None:
    async def run() -> None:
        async with opened(tenant) as known:
            changed = await known.change(id, changes, config, None)
        show(shown_provider(changed), as_json, table_of([changed]))

    run_async(run())
