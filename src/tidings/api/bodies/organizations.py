"""What clients send about organisations and invitations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from tidings.api.bodies import Input
from tidings.api.bodies.people import Email
from tidings.api.numbers import whole
from tidings.modules.organizations.model import (
    ADMIN_ROLE,
    DNS_TIMEOUT,
    LONGEST_DNS_TIMEOUT,
    MOST_USERS,
    SHORTEST_DNS_TIMEOUT,
    SUBDOMAIN,
    InvitedRole,
    Type,
)
from tidings.modules.organizations.requests import NewOrganization, NewUser
from tidings.spine.access.passwords import LONGEST
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.addresses import of_email

_LONGEST_NAME = 100
_SECONDS = int(DNS_TIMEOUT.total_seconds())
Id = Annotated[UUID, Field(strict=False)]
Named = Annotated[
    str,
    Field(min_length=1, max_length=_LONGEST_NAME, pattern=fields.NAME),
    AfterValidator(fields.person_name),
]
Subdomain = Annotated[str, Field(min_length=3, max_length=63, pattern=SUBDOMAIN, examples=["north-clinic"])]
Seconds = Annotated[
    int,
    Field(ge=int(SHORTEST_DNS_TIMEOUT.total_seconds()), le=int(LONGEST_DNS_TIMEOUT.total_seconds())),
    BeforeValidator(whole),
]
Token = Annotated[str, Field(min_length=1, max_length=256, description="as it stands in the link of the mail")]


class InvitedUserBody(Input):
    """Somebody who is to be invited."""

    email: Email
    first_name: Named
    last_name: Named
    role: Literal["provider_admin", "partner_admin", "member"]


class NewOrganizationBody(Input):
    name: Named
    type: Literal["provider", "partner"] = Field(description="a partner is one of another organisation, its parent")
    parent_id: Id | None = Field(None, description="of a partner, and only of one")
    contact_email: Email
    subdomain: Subdomain
    users: Annotated[list[InvitedUserBody], Field(min_length=1, max_length=MOST_USERS)] = Field(
        description="who is invited; at least one `provider_admin`, each address once"
    )
    dns_propagation_timeout_seconds: Seconds = Field(
        _SECONDS, description="how long DNS may take until it can be seen; 30 minutes, and 45 at most"
    )

    @model_validator(mode="before")
    @classmethod
    def _with_a_parent_or_none(cls, value: Any) -> Any:
        """One that is missing is a fault of the field as it is written, too."""
        return {"parentId": None, **value} if isinstance(value, dict) else value

    @field_validator("parent_id")
    @classmethod
    def _of_a_partner(cls, parent: UUID | None, info: ValidationInfo) -> UUID | None:
        kind = info.data.get("type")
        if kind == Type.PARTNER and parent is None:
            raise ValueError("is needed for a partner")
        if kind == Type.PROVIDER and parent is not None:
            raise ValueError("a provider has no parent")
        return parent

    @field_validator("users")
    @classmethod
    def _led_and_distinct(cls, users: list[InvitedUserBody]) -> list[InvitedUserBody]:
        faults = []
        if not any(user.role == ADMIN_ROLE for user in users):
            faults.append(f"at least one must be a {ADMIN_ROLE}")
        if twice := _twice([of_email(user.email).fingerprint for user in users]):
            faults.append(f"{', '.join(twice)} is named more than once")
        if faults:
            raise ValueError("; ".join(faults))
        return users

    def wanted(self) -> NewOrganization:
        return NewOrganization(
            self.name,
            Type(self.type),
            self.parent_id,
            of_email(self.contact_email),
            self.subdomain,
            [
                NewUser(of_email(user.email), f"{user.first_name} {user.last_name}", InvitedRole(user.role))
                for user in self.users
            ],
            timedelta(seconds=self.dns_propagation_timeout_seconds),
        )


class InvitationBody(Input):
    token: Token


class AcceptanceBody(Input):
    token: Token
    password: Annotated[str, Field(min_length=1, max_length=LONGEST)] | None = Field(
        None,
        description="a new one of ten characters or more; or the present one of the sign-in that there is for the "
        "address. Not needed by somebody who is signed in with that address",
    )


def _twice(values: Sequence[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]
