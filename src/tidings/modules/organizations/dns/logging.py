"""A provider that only says what it would do."""

from __future__ import annotations

from uuid import NAMESPACE_DNS, uuid5

import structlog

from tidings.modules.organizations.dns.port import NewRecord, Record, Zone

log = structlog.get_logger("tidings.dns")


class LoggingDns:
    """Every domain is a zone, with no records in it. What is made gets the same id each time, and is not kept."""

    asks_the_world = False
    keeps_records = False

    async def zone(self, domain: str) -> Zone:
        return Zone(id=domain, name=domain)

    async def records(self, zone: Zone, *, name: str | None = None, comment: str | None = None) -> list[Record]:
        return []

    async def create(self, zone: Zone, record: NewRecord) -> Record:
        made = Record(
            str(uuid5(NAMESPACE_DNS, f"{record.type} {record.name} {record.content}")),
            record.type,
            record.name,
            record.content,
            record.proxied,
            record.comment,
        )
        log.info(
            "would make a record",
            zone=zone.name,
            record_type=made.type,
            name=made.name,
            content=made.content,
            proxied=made.proxied,
            comment=made.comment,
        )
        return made

    async def delete(self, zone: Zone, record_id: str) -> None:
        log.info("would delete a record", zone=zone.name, record=record_id)

    async def close(self) -> None:
        """Nothing is open."""
