"""Categories over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import AfterValidator, Field
from starlette.responses import Response

from tidings.api.bodies import Input
from tidings.api.bodies.people import Name
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.people import CategoryDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.people import shown_category
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.categories import Categories, Category

router = APIRouter(prefix="/v1/categories", tags=["categories"])
_READ = desk(Role.MEMBER, Scope.PEOPLE_READ)  # who sets their own preferences must know of what
_WRITE = desk(Role.ADMIN, Scope.PEOPLE_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.PEOPLE_WRITE, body=True)

CategoryId = Annotated[str, Path(pattern=fields.WORD)]
Description = Annotated[
    str, Field(min_length=1, max_length=1000, pattern=fields.PLAIN), AfterValidator(fields.one_line)
]


class CategoryBody(Input):
    name: Name
    description: Description | None = None
    required: bool = Field(False, description="whether nobody can turn it off")


@router.get("", operation_id="list_categories", response_model=Listing[CategoryDocument], responses=signed_in())
async def list_categories(at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None) -> Response:
    """The categories of what is said, by id."""
    page = await _categories(at).list(at.position("categories", cursor), limit)
    return at.page("categories", page, shown_category)


@router.put(
    "/{id}",
    operation_id="put_category",
    response_model=Envelope[CategoryDocument],
    responses=signed_in(415),
    openapi_extra=takes(CategoryBody),
)
async def put_category(id: CategoryId, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Creates a category, or sets all of it anew."""
    body = at.parsed(CategoryBody)
    category = Category(id, body.name, body.description, body.required)
    await _categories(at).put(category)
    return answered({"data": shown_category(category)})


@router.delete("/{id}", operation_id="delete_category", status_code=204, response_class=Response, responses=signed_in())
async def delete_category(id: CategoryId, at: Annotated[Desk, _WRITE]) -> Response:
    """Deletes a category. What people said of it stays, and counts."""
    await _categories(at).delete(id)
    return Response(status_code=204)


def _categories(at: Desk) -> Categories:
    return Categories(at.connection, at.tenant)
