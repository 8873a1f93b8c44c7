"""Every table of the spine, in one metadata: migrations are checked against it."""

from __future__ import annotations

from tidings.kit.tables import METADATA
from tidings.spine.access import tables as _access
from tidings.spine.journal import tables as _journal
from tidings.spine.outbox import tables as _outbox

_PARTS = (_access, _journal, _outbox)

__all__ = ["METADATA"]
