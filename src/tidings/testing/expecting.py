"""Who should have been told what; and where it is otherwise, what was told instead, or why nothing was."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tidings.kit.settings import Settings
from tidings.testing.database import settings_of
from tidings.testing.reasons import why_not
from tidings.testing.told import Told, atold

_MOST_SHOWN = 10


@dataclass(frozen=True)
class _Wanted:
    """What somebody should have been told."""

    person: str | UUID | None
    channel: str | None
    title: str | None
    body: str | None
    fact: UUID | None
    tenant: str
    times: int | None

    def matches(self, told: Told) -> bool:
        return (
            told.is_to(self.person)
            and self.channel in (None, told.channel)
            and (self.title or "") in told.title
            and (self.body or "") in told.text
        )

    def met_by(self, count: int) -> bool:
        return count > 0 if self.times is None else count == self.times

    def __str__(self) -> str:
        whom = "somebody" if self.person is None else repr(str(self.person))
        by = "" if self.channel is None else f" by {self.channel}"
        words = "".join(
            f", with {text!r} in the {where}"
            for where, text in (("title", self.title), ("body", self.body))
            if text is not None
        )
        of = "" if self.fact is None else f" of the fact {self.fact}"
        often = "at least once" if self.times is None else f"{self.times} times"
        return f"expected {whom} to be told{of}{by}{words} {often} in tenant {self.tenant}"


def assert_told(
    database: str | Settings,
    person: str | UUID | None = None,
    *,
    channel: str | None = None,
    title: str | None = None,
    body: str | None = None,
    fact: UUID | None = None,
    tenant: str = "default",
    times: int | None = None,
) -> list[Told]:
    """Fails unless somebody was told such a thing; with `times`, exactly so often. Returns what they were told.

    `person` is an external id, a name, an id or an address; `title` and `body` are parts of what was said. The failure
    says what was told instead and, where that is nothing, why.
    """
    wanted = _Wanted(person, channel, title, body, fact, tenant, times)
    return asyncio.run(_assert_told(database, wanted))


async def aassert_told(
    database: str | Settings,
    person: str | UUID | None = None,
    *,
    channel: str | None = None,
    title: str | None = None,
    body: str | None = None,
    fact: UUID | None = None,
    tenant: str = "default",
    times: int | None = None,
) -> list[Told]:
    """As `assert_told`, awaited."""
    return await _assert_told(database, _Wanted(person, channel, title, body, fact, tenant, times))


async def _assert_told(database: str | Settings, wanted: _Wanted) -> list[Told]:
    everything = await atold(database, fact=wanted.fact, tenant=wanted.tenant)
    found = [told for told in everything if wanted.matches(told)]
    if wanted.met_by(len(found)):
        return found
    lines = [f"{wanted}, found {len(found)}", *_instead(everything)]
    if not any(told.is_to(wanted.person) for told in everything):
        lines += await why_not(settings_of(database), wanted.tenant, wanted.person, wanted.fact)
    raise AssertionError("\n".join(lines))


def _instead(everything: Sequence[Told]) -> list[str]:
    if not everything:
        return ["nobody was told anything"]
    more = [f"  … and {len(everything) - _MOST_SHOWN} more"] if len(everything) > _MOST_SHOWN else []
    return ["told, the newest first:", *(f"  {each}" for each in everything[: -_MOST_SHOWN - 1 : -1]), *more]
