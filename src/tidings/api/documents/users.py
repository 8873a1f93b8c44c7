"""The users of a tenant and their links, as replies have them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document

MemberRole = Literal["member", "admin"]


class LinkedPersonDocument(Document):
    id: UUID
    name: str


class UserDocument(Document):
    """Somebody who may sign in here."""

    id: UUID
    email: str
    name: str = Field(description="what they are called in this tenant")
    role: MemberRole
    operator: bool = Field(description="whether they also run the installation; managed by operators only")
    disabled: bool
    person: LinkedPersonDocument | None = Field(description="who of the tenant's people they are")
    last_sign_in_at: datetime | None = Field(description="when they last opened a session in this tenant")


class LinkDocument(Document):
    """A link that signs in once, to hand over. Nothing will show it again."""

    url: str
    expires_at: datetime


class AddedUserDocument(UserDocument):
    link: LinkDocument | None
