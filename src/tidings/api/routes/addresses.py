"""The addresses of a person over HTTP."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.responses import Response

from tidings.api.bodies import Input
from tidings.api.bodies.people import Secret
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.people import AddressDocument, AddressKind
from tidings.api.openapi import signed_in, takes
from tidings.api.routes.people import people_at
from tidings.api.shown.people import shown_address
from tidings.kit.errors import Fault, ValidationFailed
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.people.address_book import AddressBook
from tidings.spine.notify.people.addresses import Kind, NewAddress, new_address
from tidings.spine.notify.people.urls import Refusal

router = APIRouter(prefix="/v1/people/{id:uuid}", tags=["people"])
_READ = desk(Role.ADMIN, Scope.PEOPLE_READ)
_WRITE = desk(Role.ADMIN, Scope.PEOPLE_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.PEOPLE_WRITE, body=True)


class AddressBody(Input):
    kind: AddressKind
    value: Annotated[
        str, Field(min_length=1, max_length=4096, description="an e-mail address, a number, a device's token, a URL")
    ]
    secret: Secret | None = Field(None, description="of a webhook; made and shown once, where it is left out")

    def address(self, refusal: Refusal) -> NewAddress:
        if self.secret is not None and self.kind != "webhook":
            raise _invalid("secret", "is for a webhook only")
        try:
            return new_address(Kind(self.kind), self.value, refusal, self.secret)
        except ValueError as error:
            raise _invalid("value", str(error)) from None


@router.get(
    "/addresses", operation_id="list_addresses", response_model=Envelope[list[AddressDocument]], responses=signed_in()
)
async def list_addresses(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """All addresses of a person."""
    person = await people_at(at).get(id)
    return answered({"data": [shown_address(address) for address in person.addresses]})


@router.post(
    "/addresses",
    operation_id="add_address",
    status_code=201,
    response_model=Envelope[AddressDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(AddressBody, idempotent=True),
)
async def add_address(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Adds an address, or shows the one that is there already. A secret that was made is in this reply only."""
    address = at.parsed(AddressBody).address(at.parts.url_refusal)

    async def act() -> dict[str, Any]:
        return shown_address(*await _book(at).add(id, address))

    return await at.once(act, 201)


@router.delete(
    "/addresses/{addressId:uuid}",
    operation_id="remove_address",
    status_code=204,
    response_class=Response,
    responses=signed_in(),
)
async def remove_address(
    id: UUID, address_id: Annotated[UUID, Path(alias="addressId")], at: Annotated[Desk, _WRITE]
) -> Response:
    """Removes an address."""
    await _book(at).remove(id, address_id)
    return Response(status_code=204)


@router.post(
    "/addresses/{addressId:uuid}/enable",
    operation_id="enable_address",
    response_model=Envelope[AddressDocument],
    responses=signed_in(),
    openapi_extra=takes(idempotent=True),
)
async def enable_address(
    id: UUID, address_id: Annotated[UUID, Path(alias="addressId")], at: Annotated[Desk, _WRITE]
) -> Response:
    """Uses an address again that was disabled."""

    async def act() -> dict[str, Any]:
        return shown_address(await _book(at).enable(id, address_id))

    return await at.once(act)


def _book(at: Desk) -> AddressBook:
    return AddressBook(at.connection, at.tenant, at.parts.address_vault)


def _invalid(field: str, message: str) -> ValidationFailed:
    return ValidationFailed(f"{field}: {message}", (Fault(field, message),))
