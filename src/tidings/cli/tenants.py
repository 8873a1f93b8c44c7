"""Tenants, users and API keys, as the operator of an installation makes them."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

if TYPE_CHECKING:
    from tidings.spine.access.people import Users

from tidings.cli.context import located_settings, require_tenant, run_async, show, transaction
from tidings.kit.db import Connection
from tidings.kit.errors import NotFound, ValidationFailed
from tidings.kit.settings import Settings
from tidings.spine.access.identity import Role, Scope

JSON_OPTION = Annotated[bool, typer.Option("--json", help="print JSON")]
TENANT_OPTION = Annotated[str, typer.Option(help="which tenant")]
OPERATOR_EMAIL = "operator@localhost"
_LINK_LIFETIME = timedelta(minutes=15)

tenant = typer.Typer(help="Tenants: whose data it is.", no_args_is_help=True)
user = typer.Typer(help="People who sign in.", no_args_is_help=True)
key = typer.Typer(help="API keys.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(tenant, name="tenant")
    app.add_typer(user, name="user")
    app.add_typer(key, name="key")


@tenant.command("create")
def create_tenant(id: str, name: Annotated[str | None, typer.Option()] = None, as_json: JSON_OPTION = False) -> None:
    """Make a tenant."""
    _tenant_command("create", id, name or id, as_json=as_json)


@tenant.command("suspend")
def suspend_tenant(id: str, as_json: JSON_OPTION = False) -> None:
    """Its intents wait; nothing is lost, and what it emits is still recorded."""
    _tenant_command("suspend", id, as_json=as_json)


@tenant.command("resume")
def resume_tenant(id: str, as_json: JSON_OPTION = False) -> None:
    """What waited goes on."""
    _tenant_command("resume", id, as_json=as_json)


def _tenant_command(action: str, *arguments: str, as_json: bool) -> None:
    async def run() -> None:
        from tidings.spine.access.people import Tenants

        async with transaction(located_settings()) as connection:
            made = await getattr(Tenants(connection), action)(*arguments)
        show(asdict(made), as_json, f"{made.id}: {'suspended' if made.suspended_at else 'active'}")

    run_async(run())


@tenant.command("list")
def list_tenants(as_json: JSON_OPTION = False) -> None:
    """All tenants of this installation."""

    async def run() -> None:
        from tidings.spine.access.people import Tenants

        async with transaction(located_settings()) as connection:
            found = await Tenants(connection).list()
        lines = [f"{t.id:24} {'suspended' if t.suspended_at else 'active':10} {t.name}" for t in found]
        show([asdict(t) for t in found], as_json, "\n".join(lines))

    run_async(run())


@user.command("create")
def create_user(
    email: Annotated[str, typer.Option(help="how they sign in")],
    name: Annotated[str | None, typer.Option()] = None,
    tenant: TENANT_OPTION = "default",
    role: Annotated[str, typer.Option(help="member or admin, in that tenant")] = "member",
    operator: Annotated[bool, typer.Option("--operator", help="may act in every tenant")] = False,
    password: Annotated[str | None, typer.Option(envvar="TIDINGS_USER_PASSWORD", help="default: asked for")] = None,
    as_json: JSON_OPTION = False,
) -> None:
    """Make somebody who can sign in with a password."""
    secret = password or typer.prompt("Password", hide_input=True, confirmation_prompt=True)

    async def run() -> None:
        from tidings.spine.access.people import Users

        async with transaction(located_settings()) as connection:
            users = Users(connection)
            user_id = await users.create(email, name or email, secret, operator=operator)
            await users.join(user_id, tenant, _role(role))
        show({"id": str(user_id)}, as_json, f"{email} may sign in ({Role.OPERATOR if operator else role} of {tenant}).")

    run_async(run())


@key.command("create")
def create_key(
    name: Annotated[str, typer.Option(help="what it is for")] = "command line",
    email: Annotated[str, typer.Option(help="whose key it is")] = OPERATOR_EMAIL,
    tenant: TENANT_OPTION = "default",
    scope: Annotated[list[str] | None, typer.Option(help="such as facts:write; may be repeated; default: all")] = None,
    as_json: JSON_OPTION = False,
) -> None:
    """Make an API key and print it, for the only time."""

    async def run() -> None:
        from tidings.kit.crypto import open_keyring
        from tidings.spine.access.keys import ApiKeys
        from tidings.spine.access.people import Users
        from tidings.spine.access.purposes import API_KEYS

        settings = located_settings()
        scopes = [_scope(given) for given in scope or [known.value for known in Scope]]
        async with transaction(settings) as connection:
            await require_tenant(connection, tenant)
            users = Users(connection)
            user_id = await _holder(users, email)
            await users.require_place(user_id, tenant)
            hasher = open_keyring(settings).hasher(API_KEYS)
            made = await ApiKeys(connection, tenant).make(hasher, user_id, name, scopes, None)
        show({"id": str(made.key.id), "key": made.secret}, as_json, made.secret)

    run_async(run())


async def _holder(users: Users, email: str) -> UUID:
    try:
        return await users.find(email)
    except NotFound as error:
        raise NotFound(f"{error.detail}; say with --email whose key it is") from None


async def operator_sign_in_link(settings: Settings, public_url: str) -> str:
    """A one-time link for the operator of the embedded stack, who is made with the first one."""
    from tidings.kit.crypto import open_keyring
    from tidings.spine.access.purposes import SIGN_IN_LINKS
    from tidings.spine.access.sessions import make_sign_in_link

    async with transaction(settings) as connection:
        user_id = await _operator(connection)
        hasher = open_keyring(settings).hasher(SIGN_IN_LINKS)
        token = await make_sign_in_link(connection, hasher, user_id, "default", _LINK_LIFETIME)
    return f"{public_url}/sign-in?token={token}"


async def _operator(connection: Connection) -> UUID:
    from tidings.spine.access.people import Users

    users = Users(connection)
    try:
        return await users.find(OPERATOR_EMAIL)
    except NotFound:
        user_id = await users.create(OPERATOR_EMAIL, "Operator", None, operator=True)
        await users.join(user_id, "default", Role.ADMIN)
        return user_id


def _role(text: str) -> Role:
    if text not in (Role.MEMBER, Role.ADMIN):
        raise ValidationFailed("--role: must be member or admin; an operator is made with --operator")
    return Role(text)


def _scope(text: str) -> str:
    if text not in set(Scope):
        raise ValidationFailed(f"--scope: must be one of {', '.join(Scope)}")
    return text
