"""What clients send about their integrations."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from tidings.api.bodies import Input
from tidings.api.bodies.people import AppriseUrl
from tidings.kit.errors import Fault, ValidationFailed
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.addresses import Kind, NewAddress, new_address
from tidings.spine.notify.people.integrations import (
    LONGEST_NAME,
    MOST_TAGS,
    TAG,
    Changes,
    checked_tags,
    integration_name,
    tag,
)
from tidings.spine.notify.people.urls import Refusal

IntegrationName = Annotated[
    str,
    Field(min_length=1, max_length=LONGEST_NAME, pattern=fields.NAME, examples=["My phone"]),
    AfterValidator(integration_name),
]
Tag = Annotated[str, Field(min_length=1, max_length=50, pattern=TAG, examples=["urgent"]), AfterValidator(tag)]
"""Kept in lower case."""
Tags = Annotated[list[Tag], Field(max_length=MOST_TAGS), AfterValidator(lambda tags: list(checked_tags(tags)))]
Url = Annotated[
    AppriseUrl, Field(description="an Apprise URL; never shown again", json_schema_extra={"writeOnly": True})
]


class NewIntegrationBody(Input):
    name: IntegrationName
    url: Url = Field(repr=False)
    tags: Tags = Field(default_factory=list)

    def address(self, refusal: Refusal) -> NewAddress:
        return _address(self.url, refusal)


class IntegrationChangesBody(Input):
    """What is left out stays as it is."""

    name: IntegrationName = Field(default_factory=str)
    url: Url = Field(default_factory=str, repr=False)
    tags: Tags = Field(default_factory=list)
    active: bool = Field(default_factory=bool)

    def changes(self, refusal: Refusal) -> Changes:
        given = self.model_fields_set
        return Changes(
            self.name if "name" in given else None,
            self.tags if "tags" in given else None,
            self.active if "active" in given else None,
            _address(self.url, refusal) if "url" in given else None,
        )


def _address(url: str, refusal: Refusal) -> NewAddress:
    try:
        return new_address(Kind.APPRISE, url, refusal)
    except ValueError as error:
        raise ValidationFailed(f"url: {error}", (Fault("url", str(error)),)) from None
