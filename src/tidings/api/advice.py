"""What each type of problem means and what to do about it: where the `type` of a problem+json leads."""

from __future__ import annotations

from html import escape

from tidings.api.credentials import Forged
from tidings.api.problems import BadRequest, InternalError, MethodNotAllowed, WrongMediaType
from tidings.kit.errors import (
    AlreadyHandled,
    Conflict,
    Forbidden,
    Gone,
    LimitExceeded,
    NotFound,
    Outdated,
    RateLimited,
    TidingsError,
    TooLarge,
    Unauthenticated,
    Unavailable,
    ValidationFailed,
)

ADVICE: dict[type[TidingsError], str] = {
    ValidationFailed: "`errors` names each field that is wrong, and how. Nothing was written. Change the request.",
    LimitExceeded: "`detail` says how many there may be. Nothing was written. Take one away, or ask whoever runs this.",
    TooLarge: "The body, or the data of a fact, is larger than this installation allows. Nothing was written.",
    Unauthenticated: "There is no credential, or it is wrong, expired or revoked. Sign in, or send another one.",
    Forbidden: "You are known, and may not do this: `detail` says which role, scope or tenant it takes.",
    Forged: "A session changes something only with its token, which signing in and GET /v1/session give.",
    NotFound: "It is not there, or it is not yours: the answer is the same.",
    Gone: "It was here, and its time is over. There is nothing that brings it back.",
    Conflict: "`detail` says which state it is in. Look at it again before you decide.",
    AlreadyHandled: "Somebody else has settled it: `handled` says who, when and how. There is nothing left to do.",
    Outdated: "Somebody changed it since you read it. Read it again, and decide again.",
    RateLimited: "Wait for as long as Retry-After says. X-RateLimit-Remaining says how many requests are left.",
    Unavailable: "The database or another part is away for now. Send it again after Retry-After, with its "
    "Idempotency-Key if it had one.",
    MethodNotAllowed: "The address is right and the method is not: the Allow header has those that it takes.",
    WrongMediaType: "Send the body as JSON, with Content-Type: application/json.",
    BadRequest: "This is not HTTP that can be understood.",
    InternalError: "It is our fault. Whoever runs this finds more in the log, under the X-Request-Id of the reply.",
}
_BY_SLUG = {kind.slug: kind for kind in ADVICE}


def page_of(slug: str) -> str:
    """A short page about one type of problem, or `NotFound`."""
    kind = _BY_SLUG.get(slug)
    if kind is None:
        raise NotFound("There is no such type of problem.")
    return (
        f"<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<title>{kind.slug}</title>\n"
        f"<h1>{kind.slug}</h1>\n<p>Status {kind.status}. {escape(kind.title())}.\n<p>{escape(ADVICE[kind])}\n"
        "<p><a href=/docs>API reference</a>\n"
    )
