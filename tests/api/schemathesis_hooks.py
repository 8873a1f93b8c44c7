"""What a schema cannot say, for schemathesis: a cursor is one that was given out, a key is used for one request,
a time is near enough. Values that are wrong on purpose are left as they are."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import schemathesis

_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")
_SOON = "2027-01-01T00:00:00Z"


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    if isinstance(case.query, dict) and re.fullmatch(r"[A-Za-z0-9_-]{1,512}", str(case.query.get("cursor", ""))):
        del case.query["cursor"]
    if case.headers is not None and re.fullmatch(r"[!-~]{1,255}", str(case.headers.get("Idempotency-Key", ""))):
        case.headers["Idempotency-Key"] = str(uuid4())
    if isinstance(case.body, dict):
        case.body = {name: _near(name, value) for name, value in case.body.items()}


def _near(name: str, value: Any) -> Any:
    return _SOON if name in {"runAt", "expiresAt"} and isinstance(value, str) and _TIME.fullmatch(value) else value
