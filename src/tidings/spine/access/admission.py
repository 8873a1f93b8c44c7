"""Letting somebody in: who is behind a credential, and whether their rate allows one more request. One statement."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, assert_never
from uuid import UUID

from tidings.kit import db
from tidings.kit.crypto import Hasher
from tidings.kit.db import Pool
from tidings.kit.errors import Forbidden, NotFound, Unauthenticated
from tidings.spine.access.identity import Claims, Credential, Identity, KeyCredential, Role, SessionCredential
from tidings.spine.access.limiter import Allowance

_ADMIT = """
SELECT actor, user_id, tenant, role, scopes, granted, remaining, reset_after
FROM tidings.admit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
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
class Doorkeeper:
    """Asks the database about a credential, for every request: what was revoked a moment ago is refused now.

    Requests with the same credential that arrive while one statement is under way are asked about together in the next
    one: each is judged by a statement that began after it came, and one busy client does not queue for its own row.
    """

    pool: Pool
    patience: float
    key_hasher: Hasher
    session_hasher: Hasher
    requests_a_minute: int
    waiting: dict[Question, list[asyncio.Future[Admission]]] = field(default_factory=dict)
    asking: set[asyncio.Task[None]] = field(default_factory=set)

    async def admit(self, credential: Credential, wanted_tenant: str | None) -> Admission:
        """Raises `Unauthenticated` for nobody, `Forbidden` or `NotFound` for a tenant that they cannot act in."""
        question = Question(credential, wanted_tenant)
        answer: asyncio.Future[Admission] = asyncio.get_running_loop().create_future()
        if question in self.waiting:
            self.waiting[question].append(answer)
        else:
            self.waiting[question] = [answer]
            task = asyncio.create_task(self._ask(question))
            self.asking.add(task)
            task.add_done_callback(self.asking.discard)
        return await answer

    async def _ask(self, question: Question) -> None:
        while answers := [answer for answer in self.waiting[question] if not answer.done()]:
            self.waiting[question] = []
            try:
                admissions = await self._admit(question, len(answers))
            except Exception as error:  # told to every one of them, who raises it
                for answer in answers:
                    if not answer.done():
                        answer.set_exception(error)
            else:
                for answer, admission in zip(answers, admissions, strict=True):
                    if not answer.done():
                        answer.set_result(admission)
        del self.waiting[question]

    async def _admit(self, question: Question, requests: int) -> list[Admission]:
        arguments = (*self._arguments(question.credential), question.wanted_tenant, self.requests_a_minute, _PERIOD)
        async with db.acquired(self.pool, self.patience) as connection:
            row = await connection.fetchrow(_ADMIT, *arguments, requests)
        if row is None or row["actor"] is None:
            raise Unauthenticated
        identity = _identity(question.credential, row)
        return [Admission(identity, self._allowance(row, nth)) for nth in range(requests)]

    def _allowance(self, row: Any, nth: int) -> Allowance:
        later = max(0, row["granted"] - 1 - nth)
        return Allowance(nth < row["granted"], self.requests_a_minute, row["remaining"] + later, row["reset_after"])

    def _arguments(self, credential: Credential) -> tuple[Any, ...]:
        match credential:
            case KeyCredential(key=key):
                return self.key_hasher.hashes(key), None, None, None, None, None
            case SessionCredential(token=token):
                return None, self.session_hasher.hashes(token), None, None, None, None
            case Claims(subject=subject, tenant=tenant, role=role):
                return None, None, subject, as_uuid(subject), tenant, role.value
            case _:
                assert_never(credential)


def _identity(credential: Credential, row: Any) -> Identity:
    role = Role(row["role"])
    if row["tenant"] is None:
        raise NotFound if role is Role.OPERATOR and not isinstance(credential, KeyCredential) else Forbidden
    scopes = None if row["scopes"] is None else frozenset(row["scopes"])
    return Identity(row["actor"], row["tenant"], role, row["user_id"], scopes)


def as_uuid(text: str) -> UUID | None:
    """The UUID that a text spells out in full, or None."""
    try:
        return UUID(text) if len(text) == 36 else None
    except ValueError:
        return None
