"""Tenants, as the operator of an installation makes them; and the way in for the operator of the embedded stack."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any
from uuid import UUID

import typer

from tidings.cli.context import JsonOption, located_settings, run_async, show, table, transaction
from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.identity import Role
from tidings.spine.access.people import OPERATOR_EMAIL, Tenant, Tenants, Users
from tidings.spine.access.purposes import SIGN_IN_LINKS
from tidings.spine.access.sessions import make_sign_in_link

tenant = typer.Typer(help="Tenants: whose data it is.", no_args_is_help=True)

IdArgument = Annotated[str, typer.Argument(help="the tenant's id, such as acme", metavar="ID")]
_LINK_LIFETIME = timedelta(minutes=15)


def register(app: typer.Typer) -> None:
    app.add_typer(tenant, name="tenant")


@tenant.command("create")
def create_tenant(
    id: IdArgument,
    name: Annotated[str | None, typer.Option(help="default: the id")] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a tenant."""
    _tenant_command("create", id, name or id, as_json=as_json)


@tenant.command("suspend")
def suspend_tenant(id: IdArgument, as_json: JsonOption = False) -> None:
    """Its intents wait; nothing is lost, and what it emits is still recorded."""
    _tenant_command("suspend", id, as_json=as_json)


@tenant.command("resume")
def resume_tenant(id: IdArgument, as_json: JsonOption = False) -> None:
    """What waited goes on."""
    _tenant_command("resume", id, as_json=as_json)


def _tenant_command(action: str, *arguments: str, as_json: bool) -> None:
    async def run() -> None:
        async with transaction(located_settings()) as connection:
            made = await getattr(Tenants(connection), action)(*arguments)
        show(_shown(made), as_json, f"{made.id}: {_state(made)}")

    run_async(run())


@tenant.command("list")
def list_tenants(as_json: JsonOption = False) -> None:
    """All tenants of this installation."""

    async def run() -> None:
        async with transaction(located_settings()) as connection:
            found = await Tenants(connection).list()
        rows = [(known.id, _state(known), known.name) for known in found]
        show([_shown(known) for known in found], as_json, table(("ID", "STATE", "NAME"), rows))

    run_async(run())


def _state(known: Tenant) -> str:
    return "suspended" if known.suspended_at else "active"


def _shown(known: Tenant) -> dict[str, Any]:
    return {
        "id": known.id,
        "name": known.name,
        "createdAt": known.created_at,
        "suspendedAt": known.suspended_at,
    }


async def operator_sign_in_link(settings: Settings, public_url: str) -> str:
    """A one-time link for the operator of the embedded stack, who is made with the first one."""
    async with transaction(settings) as connection:
        user_id = await _operator(connection)
        hasher = (await unlocked(settings, connection)).hasher(SIGN_IN_LINKS)
        token = await make_sign_in_link(connection, hasher, user_id, "default", _LINK_LIFETIME)
    return f"{public_url}/sign-in?token={token}"


async def _operator(connection: Connection) -> UUID:
    users = Users(connection)
    try:
        return await users.find(OPERATOR_EMAIL)
    except NotFound:
        user_id = await users.create(OPERATOR_EMAIL, "Operator", None, operator=True)
        await users.join(user_id, "default", Role.ADMIN)
        return user_id
