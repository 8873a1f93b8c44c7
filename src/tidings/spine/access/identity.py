"""Who acts: their tenant, their role, and what their credential lets them do."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias
from uuid import UUID


class Role(StrEnum):
    """What a person may do. Each may do what those before it may."""

    MEMBER = "member"
    ADMIN = "admin"
    OPERATOR = "operator"

    def reaches(self, needed: Role) -> bool:
        return _RANK[self] >= _RANK[needed]


_RANK = {role: rank for rank, role in enumerate(Role)}


class Scope(StrEnum):
    """What an API key may be used for."""

    FACTS_READ = "facts:read"
    FACTS_WRITE = "facts:write"
    OUTBOX_READ = "outbox:read"
    OUTBOX_WRITE = "outbox:write"
    KEYS_WRITE = "keys:write"
    PEOPLE_READ = "people:read"
    PEOPLE_WRITE = "people:write"
    RULES_READ = "rules:read"
    RULES_WRITE = "rules:write"
    NOTICES_READ = "notices:read"
    NOTICES_WRITE = "notices:write"
    PROVIDERS_READ = "providers:read"
    PROVIDERS_WRITE = "providers:write"
    USERS_READ = "users:read"
    USERS_WRITE = "users:write"
    EVENTS_READ = "events:read"
    EVENTS_WRITE = "events:write"
    RESERVATIONS_READ = "reservations:read"
    RESERVATIONS_WRITE = "reservations:write"
    ORGANIZATIONS_READ = "organizations:read"
    ORGANIZATIONS_WRITE = "organizations:write"
    REPORTS_READ = "reports:read"
    REPORTS_WRITE = "reports:write"
    INBOX = "inbox"


@dataclass(frozen=True, slots=True)
class KeyCredential:
    """An API key, as it was sent."""

    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SessionCredential:
    """The token in a session cookie."""

    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Claims:
    """What a verified token, or a development header, says about its bearer."""

    subject: str
    tenant: str
    role: Role


Credential: TypeAlias = KeyCredential | SessionCredential | Claims


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody who was let in. `scopes` is None where nothing narrows what their role may do."""

    actor: str
    tenant: str
    role: Role
    user_id: UUID | None
    scopes: frozenset[str] | None

    def may(self, role: Role, scope: Scope | None) -> bool:
        return self.role.reaches(role) and (scope is None or self.scopes is None or scope in self.scopes)
