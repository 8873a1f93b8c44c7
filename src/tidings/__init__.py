"""Commit a fact inside your own database transaction, and the right people hear about it.

Importing this costs next to nothing: each name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidings.addresses import database_url
    from tidings.kit.errors import (
        Conflict,
        Fault,
        Forbidden,
        Misconfigured,
        NotFound,
        RateLimited,
        TidingsError,
        TooLarge,
        Unauthenticated,
        Unavailable,
        ValidationFailed,
        WrongConnection,
    )
    from tidings.spine.journal.emitting import aemit, aemit_many, emit, emit_many
    from tidings.spine.journal.facts import NewFact
    from tidings.spine.notify.attaching import TextAttachment
    from tidings.spine.notify.audience import By, Selector
    from tidings.spine.notify.listeners import listener
    from tidings.spine.notify.matters.model import Action, Escalation
    from tidings.spine.notify.saying import Notice
    from tidings.spine.outbox.handlers import KeyPolicy, handler
    from tidings.spine.outbox.intents import Intent
    from tidings.spine.outbox.outcomes import Again, Permanent, RetryLater
    from tidings.spine.outbox.requests import NewIntent
    from tidings.spine.outbox.scheduling import (
        acancel,
        amove,
        aschedule,
        aschedule_many,
        cancel,
        move,
        schedule,
        schedule_many,
    )

_ERRORS = (
    "Conflict Fault Forbidden Misconfigured NotFound RateLimited TidingsError TooLarge Unauthenticated Unavailable "
    "ValidationFailed WrongConnection"
)
_SCHEDULING = "acancel amove aschedule aschedule_many cancel move schedule schedule_many"
_HOMES = {
    "tidings.addresses": "database_url",
    "tidings.kit.errors": _ERRORS,
    "tidings.spine.journal.emitting": "aemit aemit_many emit emit_many",
    "tidings.spine.journal.facts": "NewFact",
    "tidings.spine.notify.attaching": "TextAttachment",
    "tidings.spine.notify.audience": "By Selector",
    "tidings.spine.notify.listeners": "listener",
    "tidings.spine.notify.matters.model": "Action Escalation",
    "tidings.spine.notify.saying": "Notice",
    "tidings.spine.outbox.handlers": "KeyPolicy handler",
    "tidings.spine.outbox.intents": "Intent",
    "tidings.spine.outbox.outcomes": "Again Permanent RetryLater",
    "tidings.spine.outbox.requests": "NewIntent",
    "tidings.spine.outbox.scheduling": _SCHEDULING,
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Action",
    "Again",
    "By",
    "Conflict",
    "Escalation",
    "Fault",
    "Forbidden",
    "Intent",
    "KeyPolicy",
    "Misconfigured",
    "NewFact",
    "NewIntent",
    "NotFound",
    "Notice",
    "Permanent",
    "RateLimited",
    "RetryLater",
    "Selector",
    "TextAttachment",
    "TidingsError",
    "TooLarge",
    "Unauthenticated",
    "Unavailable",
    "ValidationFailed",
    "WrongConnection",
    "acancel",
    "aemit",
    "aemit_many",
    "amove",
    "aschedule",
    "aschedule_many",
    "cancel",
    "database_url",
    "emit",
    "emit_many",
    "handler",
    "listener",
    "move",
    "schedule",
    "schedule_many",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'tidings' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
