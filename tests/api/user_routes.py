"""The routes of users and of one's own session, for the walk as A against what is B's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Ids = dict[str, str]
_USER = "/v1/users/{id}"
OF_ONE_OBJECT: dict[tuple[str, str], Callable[[Ids], tuple[str, Any]]] = {
    ("PATCH", _USER): lambda ids: (f"/v1/users/{ids['user']}", {"role": "member"}),
    ("DELETE", _USER): lambda ids: (f"/v1/users/{ids['user']}", None),
}
OF_ALL: dict[tuple[str, str], tuple[str, Any]] = {("GET", "/v1/users"): ("/v1/users", None)}
ELSEWHERE = {  # tested in test_users and test_own_session: a key may not, or there is no id in them
    ("POST", "/v1/users"),
    ("POST", f"{_USER}/link"),
    ("PATCH", "/v1/session"),
    ("GET", "/v1/session/password"),
    ("PUT", "/v1/session/password"),
}
