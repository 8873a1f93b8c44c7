"""What is said of the facts of this module: four listeners, one for each kind of people, each by itself.

Who runs the place and who runs the trade hold notices on one matter, and the first of them to act settles it. What the
customer and the agency are told informs; but where another time was proposed, the customer is asked, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tidings.kit.db import Connection
from tidings.modules.reservations.model import (
    CATEGORY,
    OPEN,
    PARTIES,
    POSSIBLE,
    URGENT,
    USUAL,
    Status,
    UserType,
    matter_of,
)
from tidings.modules.reservations.words import About, Reader, Said, Words
from tidings.spine.channels.port import Level
from tidings.spine.notify.audience import By, Selector
from tidings.spine.notify.hearing import NotTold
from tidings.spine.notify.listeners import Heard, Listener
from tidings.spine.notify.matters.model import Action, Escalation
from tidings.spine.notify.people.usual_channels import UsualChannels
from tidings.spine.notify.saying import Notice

Answer: TypeAlias = Notice | NotTold
Choose: TypeAlias = Callable[[Words], Said]

_ABOUT = f"""
SELECT r.*, g.name AS restaurant, g.external_id AS restaurant_group, t.timezone, t.locale, t.escalate_after,
    t.escalate_times, c.name AS customer, c.locale AS customer_locale, ag.name AS agency,
    ag.external_id AS agency_group, p.name AS actor
FROM {PARTIES}
LEFT JOIN tidings.people p ON p.id = $3::text::uuid AND p.tenant = r.tenant
WHERE r.tenant = $1 AND r.id = $2
"""
_OF_PLACE: dict[str, Choose] = {
    "requested": lambda words: words.request,
    "reopened": lambda words: words.again,
    "postponed": lambda words: words.answered,
    "confirmed": lambda words: words.accepted,
    "rejected": lambda words: words.declined,
    "cancelled": lambda words: words.withdrawn,
}
_OF_CUSTOMER: dict[str, Choose] = {
    "requested": lambda words: words.received,
    "postponed": lambda words: words.postponed,
    "confirmed": lambda words: words.confirmed,
    "rejected": lambda words: words.rejected,
    "cancelled": lambda words: words.cancelled,
}
_ASKS = frozenset({"requested", "reopened", "postponed"})
_ALL = ("requested", "confirmed", "rejected", "postponed", "cancelled")


@dataclass(frozen=True)
class ReservationListeners:
    public_url: str

    def listeners(self) -> list[Listener]:
        return [
            _listener("admin", ("requested", "postponed", "cancelled", "reopened"), self.admin),
            _listener("restaurant", (*_ALL, "reopened"), self.restaurant),
            _listener("customer", _ALL, self.customer),
            _listener("agency", _ALL, self.agency),
        ]

    async def admin(self, connection: Connection, fact: Heard) -> Answer:
        """Admins hear what is to be decided, and when it is off."""
        to = [Selector(By.USER_TYPE, (UserType.ADMIN_USER,))]
        return await self._to_staff(connection, fact, UserType.ADMIN_USER, to)

    async def restaurant(self, connection: Connection, fact: Heard) -> Answer:
        """Its staff hear also what the customer has decided; what one of them did, the inbox shows the others."""
        row = await _row(connection, fact)
        if row is None:
            return NotTold("the reservation is not there any more")
        if _what(fact) in ("confirmed", "rejected") and fact.data["personId"] != fact.data["customerId"]:
            return NotTold("whoever runs the place knows it: one of them did it")
        to = [Selector(By.GROUP, (row["restaurant_group"],), user_type=UserType.RESTAURANT_USER)]
        return await self._to_staff(connection, fact, UserType.RESTAURANT_USER, to)

    async def customer(self, connection: Connection, fact: Heard) -> Answer:
        row = await _row(connection, fact)
        if row is None or row["customer_id"] is None:
            return NotTold("there is no customer any more")
        if overtaken := _overtaken(fact, row):
            return overtaken
        asked = _what(fact) == "postponed"
        reader, level = Reader(row["customer_locale"]), _level(fact, row, Level.WARNING if asked else Level.INFO)
        said = reader.said(_OF_CUSTOMER[_what(fact)](reader.words), _about(row))
        return Notice(
            said.title,
            said.body,
            [Selector(By.PERSON, (str(row["customer_id"]),))],
            await UsualChannels(connection, fact.tenant, USUAL).of(UserType.CUSTOMER, level),
            level,
            CATEGORY,
            properties=self._properties(row, reader),
            shared=asked,
            matter=matter_of(row["id"], fact.data["round"]) if asked else None,
            actions=(Action.CONFIRMED, Action.REJECTED) if asked else (),
        )

    async def agency(self, connection: Connection, fact: Heard) -> Answer:
        """What the customer is told, and of whom it is."""
        row = await _row(connection, fact)
        if row is None or row["agency_group"] is None:
            return NotTold("no agency has a part in it")
        if overtaken := _overtaken(fact, row):
            return overtaken
        reader, level = Reader(None), _level(fact, row, Level.INFO)
        said = reader.said(_OF_CUSTOMER[_what(fact)](reader.words), _about(row))
        return Notice(
            f"{row['customer'] or reader.words.guest}: {said.title}",
            said.body,
            [Selector(By.GROUP, (row["agency_group"],), user_type=UserType.AGENCY_USER)],
            await UsualChannels(connection, fact.tenant, USUAL).of(UserType.AGENCY_USER, level),
            level,
            CATEGORY,
            properties=self._properties(row, reader),
        )

    async def _to_staff(
        self, connection: Connection, fact: Heard, user_type: UserType, to: Sequence[Selector]
    ) -> Answer:
        row = await _row(connection, fact)
        if row is None:
            return NotTold("the reservation is not there any more")
        what, usual = _what(fact), UsualChannels(connection, fact.tenant, USUAL)
        asks = what in _ASKS
        level = _level(fact, row, Level.WARNING if asks else Level.INFO)
        reader = Reader(row["locale"] if user_type is UserType.RESTAURANT_USER else None)
        said = reader.said(_OF_PLACE[what](reader.words), _about(row), details=asks)
        escalates = asks and what != "postponed" and user_type is UserType.RESTAURANT_USER
        return Notice(
            said.title,
            said.body,
            to,
            await usual.of(user_type, level),
            level,
            CATEGORY,
            properties=self._properties(row, reader),
            shared=True,
            matter=matter_of(row["id"], fact.data["round"]),
            actions=POSSIBLE[Status(fact.data["status"])] if asks else (),
            escalation=await _escalation(row, to, usual) if escalates else None,
        )

    def _properties(self, row: Any, reader: Reader) -> dict[str, Any]:
        return {
            "actionUrl": f"{self.public_url}/reservations/{row['id']}",
            "actionLabel": reader.words.open,
            "locale": reader.language,
            "timezone": row["timezone"],
            "reservationId": row["id"],
        }


def _listener(name: str, heard: Sequence[str], function: Callable[..., Any]) -> Listener:
    return Listener(f"reservations.{name}", tuple(f"reservation.{what}" for what in heard), function, asking=True)


def _what(fact: Heard) -> str:
    return fact.type.removeprefix("reservation.")


def _overtaken(fact: Heard, row: Any) -> NotTold | None:
    """That a request was received is no news once it is decided, nor a proposal that was answered."""
    if _what(fact) in ("requested", "postponed") and (row["status"] != fact.data["status"]):
        return NotTold(f"it is {row['status']} by now")
    return None


def _level(fact: Heard, row: Any, usual: Level) -> Level:
    """What is about to happen is urgent; what is over is not."""
    left = row["reserved_for"] - fact.occurred_at
    return Level.CRITICAL if left < URGENT and row["status"] in (*OPEN, Status.CANCELLED, Status.REJECTED) else usual


def _about(row: Any) -> About:
    return About(
        row["restaurant"],
        row["customer"] or "",
        row["party_size"],
        row["reserved_for"],
        row["timezone"],
        row["proposed_for"],
        row["note"],
        row["agency"],
        row["actor"],
    )


async def _row(connection: Connection, fact: Heard) -> Any:
    return await connection.fetchrow(_ABOUT, fact.tenant, fact.data["reservationId"], fact.data["personId"])


async def _escalation(row: Any, staff: Sequence[Selector], usual: UsualChannels) -> Escalation | None:
    """The staff again and the admins, as loudly as there is."""
    if row["escalate_after"] is None:
        return None
    channels = await usual.of(UserType.ADMIN_USER, Level.CRITICAL)
    to = [*staff, Selector(By.USER_TYPE, (UserType.ADMIN_USER,))]
    return Escalation(row["escalate_after"], to, channels, Level.CRITICAL, row["escalate_times"])
