"""People who sign in, as the operator of an installation makes them."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

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
from tidings.kit.errors import Conflict, ValidationFailed
from tidings.spine.access.identity import Role
from tidings.spine.access.people import User, Users

user = typer.Typer(help="People who sign in.", no_args_is_help=True)

EmailArgument = Annotated[str, typer.Argument(help="their address", metavar="EMAIL")]
RoleOption = Annotated[str, typer.Option("--role", help="member or admin, in that tenant")]
PasswordOption = Annotated[
    str | None,
    typer.Option(
        "--password", envvar="TIDINGS_USER_PASSWORD", help="default: asked for, or one line of standard input"
    ),
]


def register(app: typer.Typer) -> None:
    app.add_typer(user, name="user")


@user.command("create")
def create_user(
    email: Annotated[str, typer.Option(help="how they sign in")],
    name: Annotated[str | None, typer.Option(help="default: the address")] = None,
    tenant: TenantOption = "default",
    role: RoleOption = "member",
    operator: Annotated[bool, typer.Option("--operator", help="may act in every tenant")] = False,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make somebody who can sign in with a password."""
    in_tenant, secret = _role(role), _secret(password)

    async def run() -> None:
        async with transaction(located_settings()) as connection:
            await require_tenant(connection, tenant)
            users = Users(connection)
            try:
                user_id = await users.create(email, name or email, secret, operator=operator)
            except Conflict as error:
                raise Conflict(f"{error.detail}; `tidings user add` gives them a role in a tenant") from None
            await users.join(user_id, tenant, in_tenant)
        also = f"{Role.OPERATOR}, and " if operator else ""
        show({"id": str(user_id)}, as_json, f"{email} may sign in ({also}{role} of {tenant}).")

    run_async(run())


@user.command("add")
def add_user(
    email: EmailArgument, tenant: TenantOption = "default", role: RoleOption = "member", as_json: JsonOption = False
) -> None:
    """Give somebody who is there a role in a tenant, in place of the one they had in it."""
    in_tenant = _role(role)

    async def run() -> None:
        async with transaction(located_settings()) as connection:
            await require_tenant(connection, tenant)
            users = Users(connection)
            user_id = await users.find(email)
            await users.join(user_id, tenant, in_tenant)
        show({"id": str(user_id), "tenant": tenant, "role": role}, as_json, f"{email} is now {role} of {tenant}.")

    run_async(run())


@user.command("list")
def list_users(
    tenant: Annotated[str | None, typer.Option(help="only those with a role in this tenant")] = None,
    as_json: JsonOption = False,
) -> None:
    """Who may sign in, with their roles."""

    async def run() -> None:
        async with transaction(located_settings()) as connection:
            if tenant is not None:
                await require_tenant(connection, tenant)
            found = await Users(connection).list(tenant)
        heads = ("EMAIL", "NAME", "ROLES", "SINCE (UTC)")
        rows = [(known.email, known.name, _roles(known), utc(known.created_at)) for known in found]
        show([_shown(known) for known in found], as_json, table(heads, rows) if rows else "Nobody yet.")

    run_async(run())


@user.command("password")
def set_password(email: EmailArgument, password: PasswordOption = None) -> None:
    """Give somebody a new password. Their sessions end; their API keys stay."""
    secret = _secret(password)

    async def run() -> None:
        async with transaction(located_settings()) as connection:
            users = Users(connection)
            await users.set_password(await users.find(email), secret)
        typer.echo(f"{email} has a new password.")

    run_async(run())


def _secret(given: str | None) -> str:
    """As it was given; or asked for on a terminal; or, where nobody can be asked, one line of standard input."""
    if given is not None:
        return given
    if sys.stdin.isatty():
        asked: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        return asked
    line = sys.stdin.readline().rstrip("\r\n")
    if not line:
        raise ValidationFailed(
            "password: there is none on standard input; write it there on one line, or set TIDINGS_USER_PASSWORD"
        )
    return line


def _role(text: str) -> Role:
    if text not in (Role.MEMBER, Role.ADMIN):
        raise ValidationFailed(
            "--role: must be member or admin; an operator is made with `tidings user create --operator`"
        )
    return Role(text)


def _roles(known: User) -> str:
    if known.disabled_at is not None:
        return "disabled"
    roles = [f"{role} of {tenant}" for tenant, role in known.roles.items()]
    return ", ".join([Role.OPERATOR.value, *roles] if known.operator else roles) or "none"


def _shown(known: User) -> dict[str, Any]:
    return {
        "id": known.id,
        "email": known.email,
        "name": known.name,
        "operator": known.operator,
        "roles": [{"tenant": tenant, "role": role} for tenant, role in known.roles.items()],
        "createdAt": known.created_at,
        "disabledAt": known.disabled_at,
    }
