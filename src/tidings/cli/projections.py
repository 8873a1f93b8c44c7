"""`tidings projections`: what follows from the journal, made from it anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.context import JsonOption, located_settings, require_tenant, run_async, show, table, transaction
from tidings.cli.organizations import DryRun
from tidings.cli.progress import progress
from tidings.kit import db

if TYPE_CHECKING:
    from tidings.modules.organizations.projections import Differing

projections = typer.Typer(help="Tables that follow from the journal.", no_args_is_help=True)
_HEADS = ("TENANT", "ORGANISATION", "MENDED", "DIFFERED")


def register(app: typer.Typer) -> None:
    app.add_typer(projections, name="projections")


@projections.command("rebuild")
def rebuild(
    dry_run: DryRun = False,
    tenant: Annotated[str | None, typer.Option("--tenant", help="only of this tenant; else of all")] = None,
    as_json: JsonOption = False,
) -> None:
    """Make the projections of organisations anew from their facts, beside whatever runs. Rows that are right stay.

    Says of which organisations they differed, and in which columns. Ends with 1 where some still do.
    """
    found = run_async(_rebuilt(tenant, mends=not dry_run))
    rows = [
        (each.tenant, each.organization_id, "yes" if each.mended else "no", ", ".join(each.projections))
        for each in found
    ]
    documents = [
        {
            "tenant": each.tenant,
            "organizationId": each.organization_id,
            "projections": each.projections,
            "mended": each.mended,
        }
        for each in found
    ]
    show(documents, as_json, table(_HEADS, rows) if rows else "Nothing differed.")
    if not all(each.mended for each in found):
        raise typer.Exit(1)


async def _rebuilt(tenant: str | None, *, mends: bool) -> list[Differing]:
    from tidings.modules.organizations.projections import differing

    settings = located_settings()
    async with transaction(settings) as connection:
        tenants = await _tenants(connection, tenant)
    found = []
    async with await db.open_pool(settings.database, db.Role.WORKER, name="cli", size=2) as pool:
        for each in tenants:
            with progress(f"organisations of {each}") as tell:
                found += await differing(pool, each, mends=mends, tell=tell)
    return found


async def _tenants(connection: db.Connection, tenant: str | None) -> Sequence[str]:
    if tenant is not None:
        await require_tenant(connection, tenant)
        return [tenant]
    return [row["id"] for row in await connection.fetch("SELECT id FROM tidings.tenants ORDER BY id")]
