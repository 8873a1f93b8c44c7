"""The modules, wired: what they listen to, what they handle, and the links and files that they put into mails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tidings.app.public import public_url
from tidings.kit.settings import Settings

if TYPE_CHECKING:  # a command that needs only some of it does not pay for all
    from tidings.kit.crypto import Keyring
    from tidings.kit.db import Pool
    from tidings.spine.delivery.composing import Fetch, MakeLink
    from tidings.spine.notify.listeners import Listener
    from tidings.spine.notify.matters.model import Effects
    from tidings.spine.outbox.handlers import Kind


def module_kinds() -> list[Kind]:
    from tidings.modules.events import reminding
    from tidings.modules.reports import ticking

    return [*reminding.kinds(), *ticking.kinds()]


def module_listeners(settings: Settings) -> list[Listener]:
    from tidings.modules.events.listening import EventListeners
    from tidings.modules.organizations.listening import OrganizationListeners
    from tidings.modules.reports.listening import ReportListeners
    from tidings.modules.reservations.listening import ReservationListeners

    address = public_url(settings)
    ours = [*EventListeners(address).listeners(), *ReservationListeners(address).listeners()]
    return [*ours, *OrganizationListeners().listeners(), *ReportListeners().listeners()]


def module_effects() -> Effects:
    """What the matters of modules are about."""
    from tidings.modules.reservations.effect import ReservationEffect

    return {"reservation": ReservationEffect()}


def module_links(settings: Settings, keyring: Keyring) -> Mapping[str, MakeLink]:
    """What a notice may name as its link, and how it is made for one recipient."""
    from tidings.modules.events.links import CONFIRM, PERSONAL, Link, open_event_links
    from tidings.modules.organizations.listening import InvitationLinks
    from tidings.modules.organizations.tokens import LINK, open_invitation_tokens

    address = public_url(settings)
    links = open_event_links(keyring, address)
    seen_outside = settings.dns.provider == "cloudflare"
    invitations = InvitationLinks(open_invitation_tokens(keyring), address, seen_outside)

    def of(kind: str) -> MakeLink:
        return lambda delivery, data: links.url(Link(kind, delivery.tenant, data["eventId"], delivery.person_id))

    return {
        **{kind: of(kind) for kind in (CONFIRM, PERSONAL)},
        LINK: lambda delivery, data: invitations.url(data),
    }


def module_files(keyring: Keyring, pool: Pool) -> Mapping[str, Fetch]:
    """What a notice may name as a file that somebody keeps, and how it is had."""
    from tidings.modules.reports.documents import Documents
    from tidings.modules.reports.model import DOCUMENT
    from tidings.spine.access.purposes import REPORTS
    from tidings.spine.channels.port import Attachment

    documents = Documents(keyring.vault(REPORTS))

    async def document(tenant: str, run_id: str) -> Attachment | None:
        found = await documents.of(pool, tenant, int(run_id))
        return None if found is None else Attachment(found.name, found.media_type, found.content)

    return {DOCUMENT: document}
