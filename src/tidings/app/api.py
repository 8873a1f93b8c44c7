"""The parts of the API, wired."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tidings.kit.db import Pool
from tidings.kit.settings import Settings

if TYPE_CHECKING:  # a command that needs only some of it does not pay for all
    from tidings.kit.crypto import Hasher, Keyring, Vault
    from tidings.kit.paging import Cursors
    from tidings.modules.events.links import EventLinks
    from tidings.modules.organizations.tokens import InvitationTokens
    from tidings.modules.reports.documents import Documents
    from tidings.spine.access.admission import Doorkeeper
    from tidings.spine.access.sessions import SignIn
    from tidings.spine.access.tokens import Verifier
    from tidings.spine.delivery.configuring import Configurations
    from tidings.spine.delivery.receipts.receiving import Receipts
    from tidings.spine.notify.matters.links import ActionLinks
    from tidings.spine.notify.people.urls import Refusal
    from tidings.spine.notify.templates.rendering import Renderer
    from tidings.spine.notify.unsubscribing import Links
    from tidings.spine.processes.states import Processes

_IMPORTS_AT_ONCE = 2


@dataclass(frozen=True)
class ApiParts:
    """What the HTTP API works with."""

    settings: Settings
    pool: Pool
    keyring: Keyring
    doorkeeper: Doorkeeper
    verifier: Verifier
    sign_in: SignIn
    cursors: Cursors
    vault: Vault
    address_vault: Vault
    url_refusal: Refusal
    key_hasher: Hasher
    configurations: Configurations
    kept_vault: Vault
    documents: Documents
    renderer: Renderer
    receipts: Receipts
    unsubscribe_links: Links
    action_links: ActionLinks
    event_links: EventLinks
    feed_hasher: Hasher
    invitation_tokens: InvitationTokens
    processes: Processes
    import_turns: asyncio.Semaphore

    @property
    def patience(self) -> float:
        """How long a request waits for a connection of the pool, in seconds."""
        return self.settings.database.connect_timeout.total_seconds()


def build_api_parts(settings: Settings, pool: Pool) -> ApiParts:
    from tidings.app.public import public_url
    from tidings.kit.crypto import open_keyring
    from tidings.kit.paging import Cursors
    from tidings.modules.events import feeds
    from tidings.modules.events.links import open_event_links
    from tidings.modules.organizations.tokens import open_invitation_tokens
    from tidings.modules.reports.documents import Documents
    from tidings.spine.access.admission import Doorkeeper
    from tidings.spine.access.limiter import Limiter
    from tidings.spine.access.passwords import Passwords
    from tidings.spine.access.purposes import (
        ADDRESSES,
        API_KEYS,
        KEPT_MESSAGES,
        PROCESSES,
        PROVIDERS,
        REPLIES,
        REPORTS,
        SESSIONS,
        SIGN_IN_LINKS,
    )
    from tidings.spine.access.sessions import SignIn
    from tidings.spine.access.tokens import build_verifier
    from tidings.spine.channels.calling import Calling
    from tidings.spine.channels.network import open_network
    from tidings.spine.delivery.configuring import Configurations
    from tidings.spine.delivery.receipts.receiving import Receipts
    from tidings.spine.notify.matters.links import open_action_links
    from tidings.spine.notify.templates.rendering import Renderer
    from tidings.spine.notify.unsubscribing import open_links
    from tidings.spine.processes.connecting import Temporal
    from tidings.spine.processes.states import Processes

    keyring, network = open_keyring(settings), open_network(settings.network)
    patience = settings.database.connect_timeout
    keys, sessions = keyring.hasher(API_KEYS), keyring.hasher(SESSIONS)
    return ApiParts(
        settings=settings,
        pool=pool,
        keyring=keyring,
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
        vault=keyring.vault(REPLIES),
        address_vault=keyring.vault(ADDRESSES),
        url_refusal=Calling(network).refused,
        key_hasher=keys,
        configurations=Configurations(keyring.vault(PROVIDERS), network),
        kept_vault=keyring.vault(KEPT_MESSAGES),
        documents=Documents(keyring.vault(REPORTS)),
        renderer=Renderer(),
        receipts=Receipts(pool, patience.total_seconds(), keyring.vault(PROVIDERS), lambda: datetime.now(UTC)),
        unsubscribe_links=open_links(keyring, public_url(settings)),
        action_links=open_action_links(keyring, public_url(settings)),
        event_links=open_event_links(keyring, public_url(settings)),
        feed_hasher=keyring.hasher(feeds.PURPOSE),
        invitation_tokens=open_invitation_tokens(keyring),
        processes=Processes(Temporal(settings.temporal, keyring.vault(PROCESSES))),
        import_turns=asyncio.Semaphore(_IMPORTS_AT_ONCE),
    )
