"""People and what belongs to them, as a client sees them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from typing import Any
from uuid import UUID

from tidings.spine.notify.people.addresses import Address, Kind
from tidings.spine.notify.people.categories import Category
from tidings.spine.notify.people.groups import Group
from tidings.spine.notify.people.imports.reading import Import, WrongRow
from tidings.spine.notify.people.person import Person
from tidings.spine.notify.people.preferences import Preference
from tidings.spine.notify.people.suppressions import Suppression
from tidings.spine.notify.people.topics import Subscription


def shown_person(person: Person, secrets: Mapping[UUID, str] | None = None) -> dict[str, Any]:
    quiet = person.quiet_hours
    return {
        "id": person.id,
        "externalId": person.external_id,
        "userType": person.user_type,
        "name": person.name,
        "locale": person.locale,
        "timezone": person.timezone,
        "quietHours": None if quiet is None else {"from": _clock(quiet.begin), "until": _clock(quiet.end)},
        "userId": person.user_id,
        "email": _first(person, Kind.EMAIL),
        "phone": _first(person, Kind.PHONE),
        "addresses": [shown_address(address, (secrets or {}).get(address.id)) for address in person.addresses],
        "createdAt": person.created_at,
        "updatedAt": person.updated_at,
    }


def shown_address(address: Address, secret: str | None = None) -> dict[str, Any]:
    return {
        "id": address.id,
        "kind": address.kind,
        "value": address.value,
        "secret": secret,
        "failingSince": address.failing_since,
        "disabledAt": address.disabled_at,
        "disabledReason": address.disabled_reason,
        "createdAt": address.created_at,
        "name": address.name,
        "tags": address.tags,
    }


def shown_group(group: Group) -> dict[str, Any]:
    return {
        "id": group.id,
        "externalId": group.external_id,
        "type": group.type,
        "name": group.name,
        "members": group.members,
        "createdAt": group.created_at,
    }


def shown_topic(found: Subscription) -> dict[str, Any]:
    return {"topic": found.topic, "createdAt": found.created_at}


def shown_category(category: Category) -> dict[str, Any]:
    return {
        "id": category.id,
        "name": category.name,
        "description": category.description,
        "required": category.required,
    }


def shown_preference(preference: Preference) -> dict[str, Any]:
    return {"category": preference.category, "channel": preference.channel, "wanted": preference.wanted}


def shown_suppression(found: Suppression) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "value": found.value,
        "fingerprint": found.fingerprint,
        "reason": found.reason,
        "detail": found.detail,
        "deliveryId": found.delivery_id,
        "createdAt": found.created_at,
    }


def _first(person: Person, kind: Kind) -> str | None:
    return next((address.value for address in person.addresses if address.kind is kind), None)


def _clock(moment: time) -> str:
    return moment.strftime("%H:%M")


def shown_import(found: Import) -> dict[str, Any]:
    return {
        "id": found.id,
        "status": found.status,
        "dryRun": found.dry_run,
        "file": found.file,
        "rows": found.rows,
        "wrong": found.wrong,
        "created": found.created,
        "updated": found.updated,
        "error": found.error,
        "createdAt": found.created_at,
        "finishedAt": found.finished_at,
    }


def shown_wrong_row(wrong: WrongRow) -> dict[str, Any]:
    return {"line": wrong.line, "error": wrong.error}
