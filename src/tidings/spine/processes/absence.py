"""Temporal being away: what is raised for it, which of its errors mean it, and how long to wait then."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from tidings.kit.errors import Unavailable
from tidings.spine.outbox import faults

if TYPE_CHECKING:
    from temporalio.service import RPCError

AWAY: tuple[type[BaseException], ...] = (*faults.PASSING, Unavailable)
"""The database, its data keys or Temporal is away: try again, and charge nobody for it."""
_SHORTEST, _LONGEST = timedelta(seconds=1), timedelta(seconds=30)


class TemporalAway(Unavailable):
    """Temporal cannot be reached."""


def is_away(error: RPCError) -> bool:
    """Whether an error says nothing about what was asked: try again, and charge nobody for it.

    Also where it refuses us altogether (no such namespace, no access): what was asked is not at fault.
    """
    from temporalio.service import RPCStatusCode

    answers = {
        RPCStatusCode.INVALID_ARGUMENT,
        RPCStatusCode.NOT_FOUND,
        RPCStatusCode.ALREADY_EXISTS,
        RPCStatusCode.FAILED_PRECONDITION,
        RPCStatusCode.OUT_OF_RANGE,
    }
    return error.status not in answers or is_missing_namespace(error)


def is_missing_namespace(error: RPCError) -> bool:
    from temporalio.service import RPCStatusCode

    details = error.grpc_status.details
    return error.status is RPCStatusCode.NOT_FOUND and any("NamespaceNotFound" in each.type_url for each in details)


def patience(since: datetime, now: datetime) -> timedelta:
    """How long to wait before trying again what was due then: a tenth of the time that it has waited already."""
    return min(max((now - since) / 10, _SHORTEST), _LONGEST)
