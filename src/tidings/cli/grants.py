"""What the database's user lacks for setting up and running Tidings, as the statements that give it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tidings.kit import db

_SET_CAN_BE_WITHHELD = 16  # from here on a member may be without the right to SET ROLE
_ROLES = """
SELECT name, r.oid IS NOT NULL AS there, coalesce(pg_has_role(me.oid, r.oid, $2), false) AS taken,
    me.rolsuper OR ($3 AND me.rolcreaterole)
        OR coalesce(pg_has_role(me.oid, r.oid, 'MEMBER WITH ADMIN OPTION'), false) AS given
FROM unnest($1::text[]) WITH ORDINALITY AS wanted(name, n)
LEFT JOIN pg_roles r ON r.rolname = name
JOIN pg_roles me ON me.rolname = current_user
ORDER BY n
"""
_USER = """
SELECT quote_ident(current_user) AS name, rolcreaterole OR rolsuper AS makes_roles,
    quote_ident(current_database()) AS database,
    has_database_privilege(current_database(), 'CREATE') AS creates
FROM pg_roles WHERE rolname = current_user
"""


@dataclass(frozen=True)
class Role:
    """One of our roles, as it stands for the user: it is there, they can take it, they can give it to themselves."""

    name: str
    there: bool
    taken: bool
    given: bool


@dataclass(frozen=True)
class User:
    """Who connects, and where. The names are quoted as SQL wants them."""

    name: str
    makes_roles: bool
    database: str
    creates: bool


async def missing_grants(connection: db.Connection, *, to_migrate: bool) -> list[str]:
    """The statements that an administrator must run for this connection's user, in the order to run them."""
    old = connection.get_server_version().major < _SET_CAN_BE_WITHHELD
    names = [role.value for role in db.Role]
    rows = await connection.fetch(_ROLES, names, "MEMBER" if old else "SET", old)
    found = await connection.fetchrow(_USER)
    assert found is not None
    return list(_statements([Role(**row) for row in rows], User(**found), to_migrate))


def _statements(roles: Sequence[Role], user: User, to_migrate: bool) -> Iterator[str]:
    """`tidings migrate` does itself what the user is allowed to do; the rest is somebody else's."""
    yield from (f"CREATE ROLE {role.name} NOLOGIN;" for role in roles if not role.there and not user.makes_roles)
    for role in roles:
        helps_itself = role.given if role.there else user.makes_roles
        if not role.taken and not helps_itself:
            yield f"GRANT {role.name} TO {user.name};"
    if to_migrate and not user.creates:
        yield f"GRANT CREATE ON DATABASE {user.database} TO {user.name};"
