"""`tidings organizations`: which there are, how far one has come, and whether something was left behind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from tidings.cli.context import (
    JsonOption,
    LimitOption,
    TenantOption,
    fields,
    located_settings,
    require_tenant,
    run_async,
    show,
    table,
    transaction,
    utc,
)
from tidings.cli.dns import require_reachable
from tidings.cli.progress import progress
from tidings.kit import db
from tidings.kit.errors import ValidationFailed
from tidings.kit.paging import DEFAULT_LIMIT
from tidings.modules.organizations.model import OPEN, Organization, Status

if TYPE_CHECKING:  # what most commands have no use for takes a while to import
    from tidings.kit.settings import Settings
    from tidings.modules.organizations.findings import Finding
    from tidings.modules.organizations.organizations import Organizations
    from tidings.modules.organizations.progress import Progress
    from tidings.spine.processes.states import State

organizations = typer.Typer(help="Organisations that were taken on, or are being.", no_args_is_help=True)
IdArgument = Annotated[UUID, typer.Argument(help="the organisation's id", metavar="ID")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="only look: mend nothing, and write nowhere")]
_HEADS = ("ID", "STATUS", "DOMAIN", "NAME", "LEFT OVER", "MADE (UTC)")
_FOUND = ("WHAT", "ORGANISATION", "MENDED", "DETAIL")


def register(app: typer.Typer) -> None:
    app.add_typer(organizations, name="organizations")


@organizations.command("list")
def list_organizations(
    status: Annotated[str | None, typer.Option(help="initiated, running, compensating, completed, failed …")] = None,
    limit: LimitOption = DEFAULT_LIMIT,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """The organisations of a tenant, the newest first."""
    wanted = _status(status)

    async def run() -> None:
        from tidings.modules.organizations.organizations import OrganizationFilter, Viewer

        async with _found(tenant) as found:
            page = await found.list(Viewer(None), OrganizationFilter(wanted), None, limit)
            documents = [await _document(found, each) for each in page.items]
        show(documents, as_json, table(_HEADS, [_row(each) for each in page.items]) if page.items else "Nothing here.")

    run_async(run())


@organizations.command("show")
def show_organization(id: IdArgument, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """One organisation in full, with every step of its bootstrap and how its process stands."""

    async def run() -> None:
        from tidings.api.shown.organizations import shown_bootstrap
        from tidings.modules.organizations.inviting import mails_of
        from tidings.modules.organizations.organizations import Viewer
        from tidings.modules.organizations.progress import progress_of

        settings = located_settings()
        async with _found(tenant, settings) as found:
            organization = await found.get(Viewer(None), id)
            mails, failed = await mails_of(found.connection, tenant, id)
            steps = progress_of(organization, await found.facts(id), failed)
            state = await _state(settings, found.connection, organization)
            document = await _document(found, organization)
        bootstrap = shown_bootstrap(organization, steps, mails, state, may_manage=True)
        text = _in_full(tenant, organization, steps, bootstrap)
        show({**document, "bootstrap": bootstrap}, as_json, text)

    run_async(run())


@organizations.command("reconcile")
def reconcile(dry_run: DryRun = False, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """Compare DNS, invitations, permissions, processes and projections with the journal, and mend what is wrong.

    Workers do the same every TIDINGS_ORGANIZATIONS_RECONCILE_EVERY. Ends with 1 where something is left to be done.
    """
    found = run_async(_reconciled(tenant, mends=not dry_run))
    rows = [(each.what, each.organization_id or "", "yes" if each.mended else "no", each.detail) for each in found]
    show([_shown_finding(each) for each in found], as_json, table(_FOUND, rows) if rows else "Nothing is wrong.")
    if any(each.is_open for each in found):
        raise typer.Exit(1)


async def _reconciled(tenant: str, *, mends: bool) -> list[Finding]:
    from tidings.app.organizations import reconciling

    settings = located_settings()
    async with transaction(settings) as connection:
        await require_tenant(connection, tenant)
        await require_reachable(settings, connection)
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="cli", size=4)
    async with pool, reconciling(settings, pool) as reconciler:
        with progress("organisations compared") as tell:
            return await reconciler.sweep(tenant, mends=mends, tell=tell)


async def _state(settings: Settings, connection: db.Connection, organization: Organization) -> State:
    """How its process stands, where it may still be under way."""
    from tidings.spine.access.data_keys import unlocked
    from tidings.spine.access.purposes import PROCESSES
    from tidings.spine.processes.connecting import Temporal
    from tidings.spine.processes.states import Ended, Processes

    if organization.status not in OPEN:
        return Ended(organization.status)
    keyring = await unlocked(settings, connection)
    return await Processes(Temporal(settings.temporal, keyring.vault(PROCESSES))).state(
        connection, organization.process
    )


@asynccontextmanager
async def _found(tenant: str, settings: Settings | None = None) -> AsyncIterator[Organizations]:
    from tidings.modules.organizations.organizations import Organizations

    async with transaction(settings or located_settings()) as connection:
        await require_tenant(connection, tenant)
        yield Organizations(connection, tenant)


async def _document(found: Organizations, organization: Organization) -> dict[str, Any]:
    from tidings.api.shown.organizations import shown_organization

    contact = [] if organization.contact_id is None else [organization.contact_id]
    return shown_organization(organization, await found.names(contact), may_manage=True)


def _shown_finding(each: Finding) -> dict[str, Any]:
    return {
        "what": each.what,
        "organizationId": each.organization_id,
        "detail": each.detail,
        "mended": each.mended,
    }


def _status(text: str | None) -> Status | None:
    if text is not None and text not in set(Status):
        raise ValidationFailed(f"--status: must be one of {', '.join(Status)}")
    return None if text is None else Status(text)


def _row(each: Organization) -> Sequence[object]:
    return each.id, each.status, each.domain, each.name, " ".join(each.left_over), utc(each.created_at)


def _in_full(tenant: str, of: Organization, steps: Progress, bootstrap: Mapping[str, Any]) -> str:
    mails = ", ".join(f"{count} {what}" for what, count in bootstrap["mails"].items())
    whole = fields(
        {
            "id": of.id,
            "tenant": tenant,
            "name": of.name,
            "type": of.type,
            "parent": of.parent_id,
            "domain": of.domain,
            "path": ".".join(of.path),
            "status": of.status,
            "stopped at": bootstrap["stage"],
            "error": of.error,
            "left over": " ".join(of.left_over),
            "undone": " ".join(steps.undone),
            "DNS": of.subdomain_status,
            "mails": mails,
            "process": _process(bootstrap["live"]),
            "made": f"{utc(of.created_at)} UTC",
            "ended": "" if of.closed_at is None else f"{utc(of.closed_at)} UTC",
        }
    )
    rows = [(each.step, "done" if each.completed else "", each.error) for each in steps.steps]
    return f"{whole}\n\n{table(('STEP', '', 'ERROR'), rows)}"


def _process(live: Mapping[str, Any]) -> str:
    said = {
        "at": live["stage"],
        "until": live["waitsUntil"],
        "seen by": live["lastVerification"],
        "": live["reason"],
    }
    words = [f"{name} {value}".strip() for name, value in said.items() if value]
    return ", ".join([live["state"].replace("_", " "), *words])
