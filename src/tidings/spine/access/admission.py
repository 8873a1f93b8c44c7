"""Letting somebody in: who is behind a credential, and whether their rate allows one more request. One statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from itertools import count
from typing import Any, assert_never
from uuid import UUID

from tidings.kit import db
from tidings.kit.batching import Batcher
from tidings.kit.crypto import Hasher
from tidings.kit.db import Pool
from tidings.kit.errors import Forbidden, NotFound, TidingsError, Unauthenticated
from tidings.spine.access.identity import Claims, Credential, Identity, KeyCredential, Role, SessionCredential
from tidings.spine.access.limiter import Allowance

_ADMIT = """
SELECT n, actor, user_id, tenant, role, scopes, granted, remaining, reset_after
FROM tidings.admit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
"""
_STILL = """
SELECT n, actor, user_id, tenant, role, scopes, person_user
FROM tidings.still_admitted($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""
_PERIOD = timedelta(minutes=1)


@dataclass(frozen=True)
class Admission:
    """Somebody's identity together with what is left of their rate."""

    identity: Identity
    allowance: Allowance


@dataclass(frozen=True)
class Question:
    """A credential, and the tenant that its bearer asks to act in."""

    credential: Credential
    wanted_tenant: str | None


@dataclass(frozen=True)
class Standing:
    """How somebody who was let in stands now, and whose login the person is, if any, whose things they look at."""

    identity: Identity
    person_user: UUID | None


@dataclass(frozen=True)
class Doorkeeper:
    """Asks the database about a credential, for every request: what was revoked a moment ago is refused now.

    Requests that arrive while a statement is under way are asked about together in the next one, and those with one
    credential take from its rate together: a busy client does not queue for its own row.
    """

    pool: Pool
    patience: float
    key_hasher: Hasher
    session_hasher: Hasher
    requests_a_minute: int

    @cached_property
    def _batcher(self) -> Batcher[Question, Admission]:
        return Batcher(self._admit)

    async def admit(self, credential: Credential, wanted_tenant: str | None) -> Admission:
        """Raises `Unauthenticated` for nobody, `Forbidden` or `NotFound` for a tenant that they cannot act in."""
        return await self._batcher.ask(Question(credential, wanted_tenant))

    async def recheck(self, asked: Sequence[tuple[Question, UUID | None]]) -> list[Standing | None]:
        """How each stands who stays for longer, and may look at a person; None who would not be let in again.

        Takes from nobody's rate.
        """
        if not asked:
            return []
        arguments = ((*self._arguments(question, 0)[:-1], person_id) for question, person_id in asked)
        async with db.acquired(self.pool, self.patience) as connection:
            rows = await connection.fetch(_STILL, *map(list, zip(*arguments, strict=True)))
        found = {row["n"]: Standing(_let_in(row), row["person_user"]) for row in rows}
        return [found.get(n) for n in range(1, len(asked) + 1)]

    async def _admit(self, questions: Sequence[Question]) -> Sequence[Admission | Exception]:
        counts = Counter(questions)
        columns = zip(*(self._arguments(question, count) for question, count in counts.items()), strict=True)
        async with db.acquired(self.pool, self.patience) as connection:
            rows = await connection.fetch(_ADMIT, *map(list, columns), self.requests_a_minute, _PERIOD)
        found = {row["n"]: row for row in rows}
        asked = zip(counts, map(found.get, range(1, len(counts) + 1)), strict=True)
        answers = {question: self._answers(question, row) for question, row in asked}
        return [next(answers[question]) for question in questions]

    def _answers(self, question: Question, row: Any) -> Iterator[Admission | Exception]:
        """The answers to requests that ask the same, one after another; the first ones get what is granted."""
        identity = _identity(question.credential, row)
        for nth in count():
            yield identity if isinstance(identity, Exception) else Admission(identity, self._allowance(row, nth))

    def _allowance(self, row: Any, nth: int) -> Allowance:
        later = max(0, row["granted"] - 1 - nth)
        return Allowance(nth < row["granted"], self.requests_a_minute, row["remaining"] + later, row["reset_after"])

    def _arguments(self, question: Question, requests: int) -> tuple[Any, ...]:
        """Hashes of key and session, no former hash, claims, tenant, how many requests."""
        match question.credential:
            case KeyCredential(key=key):
                return self.key_hasher.hash(key), *[None] * 6, question.wanted_tenant, requests
            case SessionCredential(token=token):
                return None, self.session_hasher.hash(token), *[None] * 5, question.wanted_tenant, requests
            case Claims(subject=subject, tenant=tenant, role=role):
                claims = (subject, as_uuid(subject), tenant, role.value)
                return None, None, None, *claims, question.wanted_tenant, requests
            case _:
                assert_never(question.credential)


def _identity(credential: Credential, row: Any) -> Identity | TidingsError:
    if row is None:
        return Unauthenticated()
    role = Role(row["role"])
    if row["tenant"] is None:
        return _elsewhere(credential, role)
    return _let_in(row)


def _let_in(row: Any) -> Identity:
    scopes = None if row["scopes"] is None else frozenset(row["scopes"])
    return Identity(row["actor"], row["tenant"], Role(row["role"]), row["user_id"], scopes)


def _elsewhere(credential: Credential, role: Role) -> TidingsError:
    """Whether the tenant that they asked for exists is told to operators only."""
    if isinstance(credential, KeyCredential):
        return Forbidden("An API key acts in the tenant that it was made in, and in no other, also an operator's.")
    if role is Role.OPERATOR:
        return NotFound("There is no such tenant.")
    return Forbidden("Only an operator may act in another tenant.")


def as_uuid(text: str) -> UUID | None:
    """The UUID that a text spells out in full, or None."""
    try:
        return UUID(text) if len(text) == 36 else None
    except ValueError:
        return None
