"""API keys, as the operator of an installation makes them for its users."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from tidings.api.shown import shown_key
from tidings.cli.context import (
    JsonOption,
    LimitOption,
    TenantOption,
    located_settings,
    parse_time,
    require_tenant,
    run_async,
    show,
    table,
    transaction,
    utc,
)
from tidings.kit.errors import NotFound, ValidationFailed
from tidings.kit.paging import DEFAULT_LIMIT
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.identity import Scope
from tidings.spine.access.keys import ApiKey, ApiKeys
from tidings.spine.access.people import OPERATOR_EMAIL, Users
from tidings.spine.access.purposes import API_KEYS

key = typer.Typer(help="API keys.", no_args_is_help=True)

_HEADS = ("ID", "NAME", "OF", "SCOPES", "MADE (UTC)", "STATE")


def register(app: typer.Typer) -> None:
    app.add_typer(key, name="key")


@key.command("create")
def create_key(
    name: Annotated[str, typer.Option(help="what it is for")] = "command line",
    email: Annotated[str, typer.Option(help="whose key it is")] = OPERATOR_EMAIL,
    tenant: TenantOption = "default",
    scope: Annotated[list[str] | None, typer.Option(help="such as facts:write; may be repeated; default: all")] = None,
    expires_at: Annotated[str | None, typer.Option(help="ISO 8601 with a timezone; default: never")] = None,
    as_json: JsonOption = False,
) -> None:
    """Make an API key and print it, for the only time. It acts as its user, in that tenant and in no other."""
    scopes = [_scope(given) for given in scope or [known.value for known in Scope]]
    until = None if expires_at is None else parse_time("--expires-at", expires_at)

    async def run() -> None:
        settings = located_settings()
        async with transaction(settings) as connection:
            await require_tenant(connection, tenant)
            users = Users(connection)
            user_id = await _holder(users, email)
            await users.require_place(user_id, tenant)
            hasher = (await unlocked(settings, connection)).hasher(API_KEYS)
            made = await ApiKeys(connection, tenant).make(hasher, user_id, name, scopes, until)
        show(shown_key(made.key) | {"secret": made.secret}, as_json, made.secret)

    run_async(run())


@key.command("list")
def list_keys(
    email: Annotated[str | None, typer.Option(help="only those of this user")] = None,
    limit: LimitOption = DEFAULT_LIMIT,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """The keys of a tenant, the newest first. Nothing shows a key itself again."""

    async def run() -> None:
        async with transaction(located_settings()) as connection:
            await require_tenant(connection, tenant)
            users = Users(connection)
            of_user = None if email is None else await users.find(email)
            page = await ApiKeys(connection, tenant).list(of_user, None, limit)
            known = {user.id: user.email for user in await users.list()}
        rows = [
            (made.id, made.name, known[made.user_id], " ".join(made.scopes), utc(made.created_at), _state(made))
            for made in page.items
        ]
        show([shown_key(made) for made in page.items], as_json, table(_HEADS, rows) if rows else "No keys.")

    run_async(run())


@key.command("revoke")
def revoke_key(
    id: Annotated[UUID, typer.Argument(help="the key's id", metavar="ID")], tenant: TenantOption = "default"
) -> None:
    """Revoke a key, for good and at once."""

    async def run() -> None:
        async with transaction(located_settings()) as connection:
            await require_tenant(connection, tenant)
            await ApiKeys(connection, tenant).revoke(id, None)
        typer.echo(f"{id} is revoked.")

    run_async(run())


async def _holder(users: Users, email: str) -> UUID:
    try:
        return await users.find(email)
    except NotFound as error:
        raise NotFound(f"{error.detail}; say with --email whose key it is") from None


def _scope(text: str) -> str:
    if text not in set(Scope):
        raise ValidationFailed(f"--scope: must be one of {', '.join(Scope)}")
    return text


def _state(made: ApiKey) -> str:
    if made.revoked_at is not None:
        return "revoked"
    return "good" if made.expires_at is None else f"until {utc(made.expires_at)}"
