"""The only place where parts are wired."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from tidings.kit.db import Pool, Role, open_pool
from tidings.kit.settings import Settings
from tidings.spine.outbox.handlers import Handlers, Shape
from tidings.spine.outbox.leases import Leases
from tidings.spine.outbox.leasing import OUTBOX
from tidings.spine.outbox.relay import Relay, Source
from tidings.spine.outbox.waking import Sleeper

if TYPE_CHECKING:  # a worker does not pay for what only the API needs
    from tidings.kit.crypto import Hasher, Vault
    from tidings.kit.paging import Cursors
    from tidings.spine.access.admission import Doorkeeper
    from tidings.spine.access.sessions import SignIn
    from tidings.spine.access.tokens import Verifier


@dataclass(frozen=True)
class Pools:
    """A worker's connections. What handlers hold on to cannot keep the engine from leasing, renewing and settling."""

    engine: Pool  # a statement that takes longer than a lease is of no use to it
    lending: Pool  # enough for every run of a handler that writes in our transaction


async def open_pools(settings: Settings, handlers: Handlers, name: str) -> Pools:
    lent = sum(kind.runs(settings.outbox) for kind in handlers if kind.shape is Shape.TRANSACTION)
    return Pools(
        await open_pool(settings.database, Role.WORKER, name=name, longest=settings.outbox.lease),
        await open_pool(settings.database, Role.WORKER, name=f"{name}'s handlers", size=max(lent, 1)),
    )


def build_leases(settings: Settings, pool: Pool, worker: UUID) -> Leases:
    return Leases(pool, OUTBOX, worker, settings.outbox.lease, settings.outbox.dedup_window)


def build_outbox(settings: Settings, pool: Pool, worker: UUID, handlers: Handlers) -> Source:
    return Source(build_leases(settings, pool, worker), handlers)


def build_relay(
    settings: Settings,
    pools: Pools,
    sources: Sequence[Source],
    name: str,
    on_suspects: Callable[[], None],
) -> Relay:
    return Relay(
        settings=settings.outbox,
        pool=pools.engine,
        sources=sources,
        sleeper=Sleeper(settings.database),
        on_suspects=on_suspects,
        name=name,
        lending=pools.lending,
    )


@dataclass(frozen=True)
class ApiParts:
    """What the HTTP API works with."""

    settings: Settings
    pool: Pool
    doorkeeper: Doorkeeper
    verifier: Verifier
    sign_in: SignIn
    cursors: Cursors
    vault: Vault
    address_vault: Vault
    key_hasher: Hasher

    @property
    def patience(self) -> float:
        """How long a request waits for a connection of the pool, in seconds."""
        return self.settings.database.connect_timeout.total_seconds()


def build_api_parts(settings: Settings, pool: Pool) -> ApiParts:
    from tidings.kit.crypto import open_keyring
    from tidings.kit.paging import Cursors
    from tidings.spine.access.admission import Doorkeeper
    from tidings.spine.access.limiter import Limiter
    from tidings.spine.access.passwords import Passwords
    from tidings.spine.access.purposes import ADDRESSES, API_KEYS, SESSIONS, SIGN_IN_LINKS
    from tidings.spine.access.sessions import SignIn
    from tidings.spine.access.tokens import build_verifier

    keyring = open_keyring(settings)
    patience = settings.database.connect_timeout
    keys, sessions = keyring.hasher(API_KEYS), keyring.hasher(SESSIONS)
    return ApiParts(
        settings=settings,
        pool=pool,
        doorkeeper=Doorkeeper(pool, patience.total_seconds(), keys, sessions, settings.api.rate_limit),
        verifier=build_verifier(settings.auth),
        sign_in=SignIn(
            pool=pool,
            limiter=Limiter(pool),
            passwords=Passwords(),
            session_hasher=sessions,
            link_hasher=keyring.hasher(SIGN_IN_LINKS),
            csrf_hasher=keyring.hasher("csrf tokens"),
            lifetime=settings.auth.session_lifetime,
            attempts_a_minute=settings.api.sign_in_limit,
        ),
        cursors=Cursors(keyring.hasher("cursors")),
        vault=keyring.vault("idempotent replies"),
        address_vault=keyring.vault(ADDRESSES),
        key_hasher=keys,
    )
