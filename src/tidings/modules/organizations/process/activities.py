"""What the bootstrap of an organisation can call. Each looks, acts and emits facts; done twice, it is done once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from temporalio import activity

from tidings.kit import db
from tidings.modules.organizations.dns.verifying import Verifier
from tidings.modules.organizations.dns_records import DnsRecords
from tidings.modules.organizations.inviting import Inviting
from tidings.modules.organizations.model import ADMIN_ROLE, UNDONE, Organization, Roles, Status, Type, Undo
from tidings.modules.organizations.process.contracts import (
    BEGIN_UNDOING,
    COMPLETE,
    CONFIGURE_DNS,
    COUNT_MAILS,
    CREATE,
    FINISH,
    GRANT,
    INVITE,
    MAIL,
    UNDO,
    UNDO_FAILED,
    VERIFY_DNS,
    BootstrapRef,
    Mails,
    Trouble,
    UndoFailure,
    Verified,
)
from tidings.modules.organizations.recording import Stream
from tidings.modules.organizations.tokens import InvitationTokens
from tidings.modules.organizations.undoing import Undoing
from tidings.spine.outbox.outcomes import Permanent
from tidings.spine.processes.answers import implemented
from tidings.spine.processes.contracts import Contract


class BootstrapClosed(Permanent):
    """The bootstrap is being undone, or over."""


class ParentMissing(Permanent):
    """The parent organisation is not there, or not active."""


@dataclass(frozen=True)
class BootstrapActivities:
    pool: db.Pool
    dns: DnsRecords
    verifier: Verifier
    tokens: InvitationTokens
    roles: Roles
    invitation_lifetime: timedelta

    def all(self) -> list[Callable[..., Any]]:
        return [implemented(contract, function) for contract, function in self.functions()]

    def functions(self) -> list[tuple[Contract[Any, Any], Callable[[Any], Coroutine[Any, Any, Any]]]]:
        """What each contract stands for."""
        return [
            (CREATE, self.create),
            (GRANT, self.grant),
            (CONFIGURE_DNS, self.configure_dns),
            (VERIFY_DNS, self.verify_dns),
            (INVITE, self.invite),
            (MAIL, self.mail),
            (COUNT_MAILS, self.count_mails),
            (COMPLETE, self.complete),
            (BEGIN_UNDOING, self.begin_undoing),
            *((contract, self._undo(undo)) for undo, contract in UNDO.items()),
            (UNDO_FAILED, self.undo_failed),
            (FINISH, self.finish),
        ]

    async def create(self, ref: BootstrapRef) -> str:
        """Its place in the tree, as labels joined by dots. It is not active yet."""
        async with self._open(ref) as (stream, organization):
            if organization.path:
                return ".".join(organization.path)
            path = [*await _parent_path(stream, organization), organization.subdomain]
            await stream.fact("organization.created", "created", {"path": path, "active": False})
            return ".".join(path)

    async def grant(self, ref: BootstrapRef) -> int:
        """How many permissions the admin role has; the other roles have theirs from the same table."""
        async with self._open(ref) as (stream, _):
            await stream.fact("organization.permissions.granted", "granted", {"grants": self.roles.grants})
            return await _granted(stream)

    async def configure_dns(self, ref: BootstrapRef) -> str:
        """The id of the record. Where the bootstrap was given up meanwhile, the record goes again."""
        async with self._open(ref) as (_, organization):
            pass
        configured = await self.dns.configure(
            organization.id, organization.domain, organization.base_domain, self._is_left(ref.tenant)
        )
        data = configured.about(organization.domain, organization.base_domain)
        try:
            async with self._open(ref) as (stream, _):
                await stream.fact("organization.dns.configured", f"dns.configured:{configured.record.id}", data)
        except BootstrapClosed:
            await self.dns.remove(organization.id, organization.domain, organization.base_domain)
            raise
        return configured.record.id

    async def verify_dns(self, ref: BootstrapRef) -> Verified:
        """That it is not there yet is an answer, not an error."""
        async with self._open(ref) as (_, organization):
            pass
        found = await self.verifier.verify(organization.domain)
        if found.verified:
            async with self._open(ref) as (stream, _):
                data = {"domain": organization.domain, **found.model_dump(by_alias=True, mode="json")}
                await stream.fact("organization.subdomain.verified", "verified", data)
        return Verified(verified=found.verified, method=found.method, quorum=found.quorum)

    async def invite(self, ref: BootstrapRef) -> int:
        async with self._open(ref) as (stream, _):
            return await self._inviting(stream).invite_all(self.invitation_lifetime)

    async def mail(self, ref: BootstrapRef) -> Mails:
        """A mail for each that has none yet."""
        async with self._open(ref) as (stream, _):
            inviting = self._inviting(stream)
            await inviting.mail_all()
            return Mails(**await inviting.count())

    async def count_mails(self, ref: BootstrapRef) -> Mails:
        async with self._open(ref) as (stream, _):
            return Mails(**await self._inviting(stream).count())

    async def complete(self, ref: BootstrapRef) -> str:
        async with self._held(ref) as (stream, organization):
            if organization.status == Status.COMPLETED:
                return ".".join(organization.path)
            _require_open(organization)
            data = {
                "adminRole": ADMIN_ROLE,
                "permissionsGranted": await _granted(stream),
                "path": list(organization.path),
            }
            await stream.fact("organization.bootstrap.completed", "closed", data)
            return ".".join(organization.path)

    async def begin_undoing(self, trouble: Trouble) -> str:
        begun = await self._undoing.begin(*_key(trouble), trouble.how, trouble.stage, trouble.error, _told_by())
        return "begun" if begun else "closed"

    async def undo_failed(self, failure: UndoFailure) -> str:
        await self._undoing.failed(failure.undo, *_key(failure), failure.error, _told_by())
        return "scheduled"

    async def finish(self, trouble: Trouble) -> str:
        return await self._undoing.finish(*_key(trouble), trouble.how, trouble.stage, trouble.error, _told_by())

    def _undo(self, undo: Undo) -> Callable[[BootstrapRef], Coroutine[Any, Any, str]]:
        async def run(ref: BootstrapRef) -> str:
            return await self._undoing.undo(undo, *_key(ref), _told_by())

        return run

    @asynccontextmanager
    async def _open(self, ref: BootstrapRef) -> AsyncIterator[tuple[Stream, Organization]]:
        """`BootstrapClosed` where it does not go forward any more."""
        async with self._held(ref) as (stream, organization):
            _require_open(organization)
            yield stream, organization

    def _held(self, ref: BootstrapRef) -> AbstractAsyncContextManager[tuple[Stream, Organization]]:
        return self._undoing.held(*_key(ref), _told_by())

    def _inviting(self, stream: Stream) -> Inviting:
        return Inviting(stream, self.tokens)

    def _is_left(self, tenant: str) -> Callable[[UUID], Any]:
        async def is_left(organization_id: UUID) -> bool:
            async with self.pool.acquire() as connection, db.as_tenant(connection, tenant):
                other = await Stream(connection, tenant, organization_id).read()
                return other is not None and other.status in (Status.FAILED, Status.CANCELLED)

        return is_left

    @property
    def _undoing(self) -> Undoing:
        return Undoing(self.pool, self.dns)


def _require_open(organization: Organization) -> None:
    if organization.status in UNDONE:
        raise BootstrapClosed(f"the bootstrap is {organization.status}")


async def _parent_path(stream: Stream, organization: Organization) -> tuple[str, ...]:
    if organization.type is Type.PROVIDER:
        return ()
    assert organization.parent_id is not None
    parent = await Stream(stream.connection, stream.tenant, organization.parent_id).read()
    if parent is None or not parent.active:
        raise ParentMissing(f"there is no active organisation {organization.parent_id} to be the parent")
    return parent.path


async def _granted(stream: Stream) -> int:
    granted: int = await stream.connection.fetchval(
        """SELECT count(*) FROM tidings.organization_permissions_projection
           WHERE organization_id = $1 AND role = $2 AND revoked_at IS NULL""",
        stream.organization_id,
        ADMIN_ROLE,
    )
    return granted


def _key(ref: BootstrapRef) -> tuple[str, UUID]:
    return ref.tenant, UUID(ref.organization_id)


def _told_by() -> Mapping[str, Any]:
    info = activity.info()
    return {"workflow_id": info.workflow_id, "run_id": info.workflow_run_id}
