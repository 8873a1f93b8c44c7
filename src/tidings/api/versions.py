"""Versions of what somebody may change beside others: told in `ETag`, asked for in `If-Match`."""

from __future__ import annotations

import re
from typing import Any

from starlette.responses import Response

from tidings.api.desk import Desk, answered
from tidings.api.exchange import exchange_of
from tidings.kit.errors import Fault, ValidationFailed

IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "description": "the version that is to be changed, in quotes, as `ETag` has it; another one gives 412",
    "schema": {"type": "string", "pattern": r'^(\*|"?[0-9]{1,9}"?)$'},
}


def with_version(document: dict[str, Any]) -> Response:
    response = answered({"data": document})
    response.headers["ETag"] = f'"{document["version"]}"'
    return response


def wanted_version(at: Desk) -> int | None:
    """None where any will do."""
    given = exchange_of(at.request.scope).header(b"if-match")
    if given is None or given == "*":
        return None
    if not re.fullmatch(r'"?[0-9]{1,9}"?', given):
        message = 'must be one version in quotes, such as "3", or *'
        raise ValidationFailed(f"If-Match: {message}", (Fault("If-Match", message),))
    return int(given.strip('"'))
