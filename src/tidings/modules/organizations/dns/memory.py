"""A provider that keeps its records in this process, for as long as it lives."""

from __future__ import annotations

from collections.abc import Collection
from uuid import uuid4

from tidings.modules.organizations.dns.port import NewRecord, Record, RecordExists, Zone, ZoneMissing, plain_name

_ADDRESSES = frozenset({"A", "AAAA", "CNAME"})


class MemoryDns:
    """For tests and a stack of one process. Every domain is a zone, unless it is told which are."""

    asks_the_world = False
    keeps_records = True

    def __init__(self, zones: Collection[str] | None = None) -> None:
        self._zones = zones
        self._records: dict[str, dict[str, Record]] = {}

    async def zone(self, domain: str) -> Zone:
        if self._zones is not None and domain not in self._zones:
            raise ZoneMissing(f"There is no zone {domain}.")
        return Zone(id=domain, name=domain)

    async def records(self, zone: Zone, *, name: str | None = None, comment: str | None = None) -> list[Record]:
        return [each for each in self._of(zone).values() if each.answers(name, comment)]

    async def create(self, zone: Zone, record: NewRecord) -> Record:
        records = self._of(zone)
        if any(_excludes(each, record) for each in records.values()):
            raise RecordExists(f"{record.name} is there already.")
        made = Record(str(uuid4()), record.type, record.name, record.content, record.proxied, record.comment)
        records[made.id] = made
        return made

    async def delete(self, zone: Zone, record_id: str) -> None:
        self._of(zone).pop(record_id, None)

    async def close(self) -> None:
        """Nothing is open."""

    def _of(self, zone: Zone) -> dict[str, Record]:
        return self._records.setdefault(zone.id, {})


def _excludes(there: Record, new: NewRecord) -> bool:
    """Whether the two cannot be together: the very same, or a CNAME beside something that leads elsewhere."""
    if plain_name(there.name) != plain_name(new.name):
        return False
    if (there.type, there.content) == (new.type, new.content):
        return True
    return "CNAME" in {there.type, new.type} and {there.type, new.type} <= _ADDRESSES
