"""An intent as a handler sees it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, Protocol
from uuid import UUID


class Row(Protocol):
    """What a driver returns for a row: values by column name."""

    def __getitem__(self, name: str, /) -> Any: ...


class Leased:
    """A row that was leased: what the engine must know of it, whatever table it is of. Reads its row as it is asked."""

    __slots__ = ("_row", "token")

    def __init__(self, row: Row, token: UUID) -> None:
        self._row = row
        self.token = token

    @property
    def id(self) -> UUID:
        return self._row["id"]  # type: ignore[no-any-return]

    @property
    def tenant(self) -> str:
        return self._row["tenant"]  # type: ignore[no-any-return]

    @property
    def party(self) -> str:
        """Whose turn it takes up: lanes of a kind are by party."""
        return self.tenant

    @property
    def kind(self) -> str:
        return self._row["kind"]  # type: ignore[no-any-return]

    @property
    def fact_id(self) -> UUID | None:
        return None

    @property
    def attempt(self) -> int:
        """1 for the first try."""
        return int(self._row["attempts"]) + 1

    @property
    def generation(self) -> int:
        return self._row["generation"]  # type: ignore[no-any-return]

    @property
    def place(self) -> str:
        """Where its row lay when it was leased."""
        return self._row["place"]  # type: ignore[no-any-return]

    @property
    def max_attempts(self) -> int | None:
        return self._row["max_attempts"]  # type: ignore[no-any-return]

    @property
    def metadata_text(self) -> str | None:
        """The metadata of the fact that caused it, as JSON text."""
        return None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.kind} {self.id} of {self.tenant}>"


class Intent(Leased):
    """Something that must happen now.

    `data` is the data of the fact that caused it, or its own payload where no fact did.
    """

    __slots__ = ("_data", "_metadata")

    def __init__(self, row: Row, token: UUID) -> None:
        super().__init__(row, token)
        self._data: dict[str, Any] | None = None
        self._metadata: dict[str, Any] | None = None

    @property
    def key(self) -> str | None:
        return self._row["key"]  # type: ignore[no-any-return]

    @property
    def fact_id(self) -> UUID | None:
        return self._row["fact_id"]  # type: ignore[no-any-return]

    @property
    def stream(self) -> tuple[str, str] | None:
        stream_type = self._row["stream_type"]
        return None if stream_type is None else (stream_type, self._row["stream_id"])

    @property
    def stream_version(self) -> int | None:
        return self._row["stream_version"]  # type: ignore[no-any-return]

    @property
    def due_at(self) -> datetime:
        return datetime.fromtimestamp(self._row["due_at"], UTC)

    @property
    def occurred_at(self) -> datetime | None:
        """When the fact that caused it was recorded."""
        moment = self._row["occurred_at"]
        return None if moment is None else datetime.fromtimestamp(moment, UTC)

    @property
    def data(self) -> dict[str, Any]:
        if self._data is None:
            self._data = json.loads(self._row["data"] or "{}")
        return self._data

    @property
    def metadata(self) -> dict[str, Any]:
        """Correlation and causation ids, depth, actor, trace context."""
        if self._metadata is None:
            self._metadata = json.loads(self._row["metadata"] or "{}")
        return self._metadata

    @property
    def metadata_text(self) -> str | None:
        """The metadata as JSON text, not parsed."""
        return self._row["metadata"]  # type: ignore[no-any-return]

    @property
    def correlation_id(self) -> str:
        return str(self.metadata.get("correlation_id") or self.fact_id or self.id)
