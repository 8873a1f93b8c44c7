"""The OpenAPI document: what FastAPI finds out, and what it cannot know."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from tidings.api.documents import Problem
from tidings.api.problems import MEDIA_TYPE

_REF = "#/components/schemas/{model}"
_SECURITY_SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "a JWT, or an API key (`tdk_…`)"},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "tidings_session",
        "description": "set by `POST /v1/session`; requests that change something also carry `X-CSRF-Token`",
    },
}
_TITLES = {
    400: "Not understood",
    401: "Nobody is signed in",
    403: "Not allowed for this role or key",
    404: "Not here",
    409: "The present state does not allow this",
    410: "Not kept any more",
    412: "Changed since the version that was named",
    413: "Too large",
    415: "Not of the media type that this takes",
    422: "Not valid",
    429: "Too many requests",
    503: "A part cannot be reached; try again",
}
_RATE = {
    name: {"schema": {"type": "integer"}, "description": text}
    for name, text in (
        ("X-RateLimit-Limit", "requests a minute"),
        ("X-RateLimit-Remaining", "requests left"),
        ("X-RateLimit-Reset", "seconds until all are there again or, at 429, until the next one is"),
    )
}
_BY_OTHER_MEANS = {"sign_in", "metrics"}  # neither takes who somebody is
IDEMPOTENCY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "the same key and body again give the first reply; another body gives 422",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors that a route may answer with."""
    schema = {"$ref": _REF.format(model=Problem.__name__)}
    return {s: {"description": _TITLES[s], "content": {MEDIA_TYPE: {"schema": schema}}} for s in sorted(statuses)}


def signed_in(*more: int) -> dict[int | str, dict[str, Any]]:
    """The errors of every route that needs somebody."""
    return problems(400, 401, 403, 404, 413, 422, 429, 503, *more)


def takes(model: type[BaseModel] | None = None, *, idempotent: bool = False) -> dict[str, Any]:
    """A JSON body that the route reads itself, and its Idempotency-Key."""
    extra: dict[str, Any] = {"parameters": [IDEMPOTENCY]} if idempotent else {}
    if model is not None:
        schema = model.model_json_schema(ref_template=_REF)
        extra["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return extra


def describe(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    document["components"] |= {"securitySchemes": _SECURITY_SCHEMES, "headers": _RATE, "responses": {}}
    for operations in document["paths"].values():
        for operation in operations.values():
            _lift_body(operation, schemas)
            _secure(operation, document["components"]["responses"])
    _, problem = models_json_schema([(Problem, "validation")], ref_template=_REF)
    schemas.update(problem["$defs"])
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    return document


def _lift_body(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Moves the schema of a body, and what it is made of, to where all schemas are."""
    media = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if media is None:
        return
    schema = media["schema"]
    schemas.update(schema.pop("$defs", {}))
    schemas[schema["title"]] = schema
    media["schema"] = {"$ref": _REF.format(model=schema["title"])}


def _secure(operation: dict[str, Any], shared: dict[str, Any]) -> None:
    """Says who may ask and what every reply tells of their rate; problems, which are alike, are described once."""
    if "401" not in operation["responses"] or operation["operationId"] in _BY_OTHER_MEANS:
        return
    operation["security"] = [{"bearer": []}, {"session": []}]
    for status, response in operation["responses"].items():
        response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in _RATE}
        if MEDIA_TYPE in response.get("content", {}):
            shared[f"Problem{status}"] = response
            operation["responses"][status] = {"$ref": f"#/components/responses/Problem{status}"}
