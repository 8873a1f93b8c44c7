"""What a provider may do to an adapter, and what an adapter has to offer to be tried with it.

An adapter joins the suite with one `Case` in `cases.py`: how to start a provider that behaves in a given way, and
which ways it cannot show. `http_cases.py` makes one out of replies, for adapters that speak HTTP.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from tidings.spine.channels.port import Adapter, Message, Outcome, Sent
from tidings.spine.channels.registry import Outside


class Behaviour(Enum):
    TAKES_IT = auto()
    IS_BUSY = auto()  # fails in a way that may pass
    ASKS_TO_WAIT = auto()  # seven seconds, as the protocol says that
    REFUSES_CREDENTIALS = auto()
    REJECTS_IT = auto()
    KNOWS_NO_SUCH_ADDRESS = auto()  # any more
    REFUSES_CONNECTIONS = auto()
    NEVER_LETS_US_IN = auto()  # accepts the connection, and then nothing: time runs out before anything was sent
    HAS_A_WRONG_CERTIFICATE = auto()
    TAKES_IT_AND_IS_SILENT = auto()
    TAKES_IT_AND_RESETS = auto()
    TAKES_IT_AND_NEVER_ENDS = auto()  # an answer without an end
    TAKES_IT_AND_DRIPS = auto()  # an answer of a byte now and then
    TALKS_NONSENSE = auto()


class Provider(Protocol):
    """A server of a test's own that behaves in one way, until told to behave in another."""

    behaviour: Behaviour

    @property
    def keys(self) -> list[str]:
        """The idempotency key of each attempt that came in."""
        ...

    def adapter(self, outside: Outside) -> Adapter: ...


@dataclass(frozen=True)
class Case:
    """One adapter. `receipt` is what its provider gives when it takes a message."""

    name: str
    message: Message
    start: Callable[[Behaviour], AbstractAsyncContextManager[Provider]]
    receipt: str | None
    cannot: frozenset[Behaviour] = frozenset()
    cut_off: type[Outcome] | tuple[type[Outcome], ...] = (
        Sent  # what comes of an answer whose status came and whose body did not end
    )
