"""The addresses of a tenant's people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tidings.kit.crypto import Vault
from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, NotFound
from tidings.spine.notify.people.addresses import Address, Kind, NewAddress

MOST = 200
"""Addresses of one person."""
_COLUMNS = "id, person_id, kind, value, failing_since, disabled_at, disabled_reason, created_at, name, tags"
# An integration is its owner's: who sets a person's addresses leaves it alone.
_OTHERS = """
DELETE FROM tidings.addresses a
WHERE a.tenant = $1 AND a.person_id = $2 AND a.kind = ANY ($3::text[]) AND a.name IS NULL
    AND NOT EXISTS (SELECT FROM unnest($4::text[], $5::text[]) AS kept (kind, fingerprint)
                    WHERE kept.kind = a.kind AND kept.fingerprint = a.fingerprint)
"""
_RENEW = """
UPDATE tidings.addresses a SET sealed = new.sealed, failing_since = NULL, disabled_at = NULL, disabled_reason = NULL
FROM unnest($3::text[], $4::text[], $5::bytea[]) AS new (kind, fingerprint, sealed)
WHERE a.tenant = $1 AND a.person_id = $2 AND a.kind = new.kind AND a.fingerprint = new.fingerprint
"""
_ADD = f"""
INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint, sealed)
SELECT $1, p.id, new.kind, new.value, new.fingerprint, new.sealed
FROM tidings.people p, unnest($3::text[], $4::text[], $5::text[], $6::bytea[])
    WITH ORDINALITY AS new (kind, value, fingerprint, sealed, place)
WHERE p.tenant = $1 AND p.id = $2 ORDER BY new.place
ON CONFLICT (person_id, kind, fingerprint) DO NOTHING
RETURNING {_COLUMNS}, fingerprint
"""
_OF_ADDRESS = "WHERE tenant = $1 AND person_id = $2 AND id = $3"


@dataclass(frozen=True)
class AddressBook:
    """What is sealed is sealed on the way in, for its tenant, and comes out nowhere here."""

    connection: Connection
    tenant: str
    vault: Vault

    async def of(self, people: Sequence[UUID]) -> Mapping[UUID, Sequence[Address]]:
        """Their addresses, each person's in the order in which they were added."""
        rows = await self.connection.fetch(
            f"SELECT {_COLUMNS} FROM tidings.addresses WHERE tenant = $1 AND person_id = ANY ($2::uuid[]) ORDER BY id",
            self.tenant,
            people,
        )
        found: dict[UUID, list[Address]] = {person: [] for person in people}
        for row in rows:
            found[row["person_id"]].append(_address(row))
        return found

    async def set(self, person_id: UUID, addresses: Mapping[Kind, Sequence[NewAddress]]) -> Mapping[UUID, str]:
        """Makes these all the person's addresses of each kind named; one that stays keeps its state, unless it is
        given another secret, and what waits for it. Returns the secrets that were made, by address."""
        wanted = [address for those in addresses.values() for address in those]
        kept = [a.kind.value for a in wanted], [a.fingerprint for a in wanted]
        await self.connection.execute(_OTHERS, self.tenant, person_id, [kind.value for kind in addresses], *kept)
        await self._renew(person_id, [address for address in wanted if address.secret_given])
        return await self._add(person_id, wanted)

    async def add(self, person_id: UUID, address: NewAddress) -> tuple[Address, str | None]:
        """The address with the secret that was made for it; the one that is there already stays as it is."""
        await self._require_room(person_id)
        if address.secret_given:
            await self._refuse_known(person_id, address)
        made = await self._add(person_id, [address])
        row = await self.connection.fetchrow(
            f"""SELECT {_COLUMNS} FROM tidings.addresses
                WHERE tenant = $1 AND person_id = $2 AND kind = $3 AND fingerprint = $4""",
            self.tenant,
            person_id,
            address.kind.value,
            address.fingerprint,
        )
        if row is None:
            raise NotFound("There is no such person.")
        return _address(row), made.get(row["id"])

    async def remove(self, person_id: UUID, id: UUID) -> None:
        removed = await self.connection.fetchval(
            f"DELETE FROM tidings.addresses {_OF_ADDRESS} RETURNING id", self.tenant, person_id, id
        )
        if removed is None:
            raise NotFound("There is no such address.")

    async def enable(self, person_id: UUID, id: UUID) -> Address:
        """Sends there again, as if it had never failed."""
        row = await self.connection.fetchrow(
            f"""UPDATE tidings.addresses SET disabled_at = NULL, disabled_reason = NULL, failing_since = NULL
                {_OF_ADDRESS} RETURNING {_COLUMNS}""",
            self.tenant,
            person_id,
            id,
        )
        if row is None:
            raise NotFound("There is no such address.")
        return _address(row)

    async def _renew(self, person_id: UUID, given: Sequence[NewAddress]) -> None:
        await self.connection.execute(
            _RENEW,
            self.tenant,
            person_id,
            [address.kind.value for address in given],
            [address.fingerprint for address in given],
            [self._sealed(address) for address in given],
        )

    async def _add(self, person_id: UUID, wanted: Sequence[NewAddress]) -> Mapping[UUID, str]:
        if not wanted:
            return {}
        rows = await self.connection.fetch(
            _ADD,
            self.tenant,
            person_id,
            [address.kind.value for address in wanted],
            [address.value for address in wanted],
            [address.fingerprint for address in wanted],
            [self._sealed(address) for address in wanted],
        )
        made = {(address.kind, address.fingerprint): address.made for address in wanted}
        secrets = {row["id"]: made[row["kind"], row["fingerprint"]] for row in rows}
        return {address: secret for address, secret in secrets.items() if secret is not None}

    async def _require_room(self, person_id: UUID) -> None:
        """All of them are shown with the person, and a notice may go to each."""
        amount = await self.connection.fetchval(
            "SELECT count(*) FROM tidings.addresses WHERE tenant = $1 AND person_id = $2", self.tenant, person_id
        )
        if amount >= MOST:
            raise Conflict(f"A person has at most {MOST} addresses; remove one first.")

    async def _refuse_known(self, person_id: UUID, address: NewAddress) -> None:
        """The secret that was given would be ignored without a word."""
        if await self.connection.fetchval(
            """SELECT EXISTS (SELECT FROM tidings.addresses
               WHERE tenant = $1 AND person_id = $2 AND kind = $3 AND fingerprint = $4)""",
            self.tenant,
            person_id,
            address.kind.value,
            address.fingerprint,
        ):
            raise Conflict("This address is there already; remove it to give it another secret.")

    def _sealed(self, address: NewAddress) -> bytes | None:
        return None if address.content is None else self.vault.seal(address.content, self.tenant)


def _address(row: Any) -> Address:
    return Address(
        row["id"],
        row["person_id"],
        Kind(row["kind"]),
        row["value"],
        row["failing_since"],
        row["disabled_at"],
        row["disabled_reason"],
        row["created_at"],
        row["name"],
        tuple(row["tags"]),
    )
