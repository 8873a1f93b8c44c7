"""A fact that is to be recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from tidings.kit import telemetry
from tidings.kit.callers import invalid
from tidings.kit.callers.texts import json_text, plain_text, time_text
from tidings.spine.journal.causes import CURRENT

Row: TypeAlias = tuple[str | None, ...]


@dataclass(frozen=True)
class NewFact:
    """Something that happened. With a `key`, the same fact recorded again changes nothing.

    `stream` is the type and the id of what it happened to; `run_at` is when its handlers are to run, now by default.
    """

    type: str
    data: Mapping[str, Any] = field(default_factory=dict)
    stream: tuple[str, object] | None = None
    tenant: str = "default"
    key: str | None = None
    run_at: datetime | None = None
    metadata: Mapping[str, Any] | None = None

    def row(self) -> Row:
        """The arguments of `tidings.emit`, in its order, as text. Raises ValidationFailed for what cannot travel."""
        stream_type, stream_id = self._stream()
        return (
            plain_text("type", self.type),
            json_text("data", self.data),
            stream_type,
            stream_id,
            self._tenant(),
            plain_text("key", self.key),
            time_text("runAt", self.run_at),
            json_text("metadata", self._metadata()),
        )

    def _tenant(self) -> str | None:
        """In arrays PostgreSQL takes none as the default one; here it is somebody's mistake."""
        tenant: str | None = self.tenant
        if tenant is None:
            raise invalid("tenant", "must be text")
        return plain_text("tenant", tenant)

    def _stream(self) -> tuple[str | None, str | None]:
        if self.stream is None:
            return None, None
        if not isinstance(self.stream, tuple | list) or len(self.stream) != 2:
            raise invalid("stream", "needs both a type and an id, or neither")
        stream_type, stream_id = self.stream
        return plain_text("stream", stream_type), plain_text("stream", None if stream_id is None else str(stream_id))

    def _metadata(self) -> Any:
        """What was given, and what is known here: the fact that is being handled, and the caller's span."""
        given = {} if self.metadata is None else self.metadata
        if not isinstance(given, Mapping):
            return given
        known = {}
        if (cause := self._cause()) is not None:
            known["causation_id"] = cause
        if (parent := telemetry.traceparent()) is not None:
            known["traceparent"] = parent
        return {**known, **given}

    def _cause(self) -> str | None:
        cause = CURRENT.get()
        if cause is None or cause.fact_id is None or cause.tenant != self.tenant:
            return None
        return str(cause.fact_id)
