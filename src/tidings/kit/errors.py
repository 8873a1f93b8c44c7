"""One tree of errors. The docstring is the message; the status is what HTTP answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with one field of the input."""

    field: str
    message: str


class TidingsError(Exception):
    """Something went wrong in Tidings."""

    status: ClassVar[int] = 500
    slug: ClassVar[str] = "internal-error"

    def __init__(self, detail: str | None = None, **extra: Any) -> None:
        self.detail = detail or type(self).title()
        self.extra = extra
        super().__init__(self.detail)

    @classmethod
    def title(cls) -> str:
        return (cls.__doc__ or "").strip().splitlines()[0].rstrip(".")


class ValidationFailed(TidingsError):
    """The input is not valid."""

    status = 422
    slug = "validation-failed"

    def __init__(self, detail: str | None = None, faults: tuple[Fault, ...] = (), **extra: Any) -> None:
        super().__init__(detail, **extra)
        self.faults = faults


class LimitExceeded(TidingsError):
    """There are as many of these as there may be."""

    status = 422
    slug = "limit-exceeded"


class TooLarge(TidingsError):
    """The input is larger than the limit."""

    status = 413
    slug = "too-large"


class Unauthenticated(TidingsError):
    """Sign in, or send a valid bearer token or API key."""

    status = 401
    slug = "unauthenticated"


class Forbidden(TidingsError):
    """This is not allowed for your role."""

    status = 403
    slug = "forbidden"


class NotFound(TidingsError):
    """There is no such thing here."""

    status = 404
    slug = "not-found"


class Conflict(TidingsError):
    """The present state does not allow this."""

    status = 409
    slug = "conflict"


class AlreadyHandled(Conflict):
    """Somebody was quicker."""

    slug = "already-handled"


class Outdated(TidingsError):
    """It was changed since the version that you name."""

    status = 412
    slug = "outdated"


class Gone(TidingsError):
    """It was here, and is not kept any more."""

    status = 410
    slug = "gone"


class RateLimited(TidingsError):
    """Too many requests; try again later."""

    status = 429
    slug = "rate-limit-exceeded"


class Unavailable(TidingsError):
    """A part that this needs cannot be reached; try again."""

    status = 503
    slug = "unavailable"


class Misconfigured(TidingsError):
    """The configuration cannot work."""

    slug = "misconfigured"


class WrongConnection(TidingsError):
    """This connection cannot be used for emitting."""

    slug = "wrong-connection"
