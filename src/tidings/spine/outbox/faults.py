"""Errors of the database that are nobody's fault, and will pass."""

from __future__ import annotations

import asyncpg

from tidings.kit import db

AWAY: tuple[type[BaseException], ...] = (*db.AWAY, asyncpg.InsufficientResourcesError)
"""The database is away, read-only or full."""

PASSING: tuple[type[BaseException], ...] = (
    *AWAY,
    asyncpg.TransactionRollbackError,
    asyncpg.OperatorInterventionError,
    asyncpg.LockNotAvailableError,
)
"""What may stop a statement of ours once and not the next time: try again, and charge nobody for it."""


class HandlerFailed(Exception):
    """Carries what a handler raised inside our transaction past the errors that are the database's."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.error = error


def is_passing(error: BaseException) -> bool:
    """Whether an error that left a handler is the database's, and will pass.

    A handler's own sockets, files and deadlines raise OSError and TimeoutError too: those are its failures.
    """
    return isinstance(error, AWAY) and isinstance(error, asyncpg.PostgresError)
