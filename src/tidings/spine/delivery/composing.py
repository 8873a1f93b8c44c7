"""From a delivery to the message that goes out: its notice, the template for its channel, and the person's own words.

What does not depend on the person is rendered once for a whole broadcast.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Any, TypeAlias
from uuid import UUID

from tidings.kit.batching import Batcher
from tidings.kit.crypto import Vault
from tidings.kit.db import Pool
from tidings.spine.channels.port import Attachment, Button, Channel, Level, Message
from tidings.spine.delivery.buttons import MakeButtons
from tidings.spine.delivery.carrying import APPROVED, carried
from tidings.spine.delivery.table import Delivery
from tidings.spine.journal.reading import data_of
from tidings.spine.notify import attaching
from tidings.spine.notify.hearing import context_of
from tidings.spine.notify.listeners import Heard
from tidings.spine.notify.template_store import nearest
from tidings.spine.notify.templates.aside import Aside
from tidings.spine.notify.templates.checking import Checker
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.rendering import Renderer
from tidings.spine.notify.templates.sources import Rendered, Source
from tidings.spine.notify.templates.standard import standard

_MOST_NOTICES = 2_000
_MOST_ATTACHED = 16 << 20  # bytes of attachments that are kept for the mails to come
_LOCALE, _ZONE = "en", "UTC"

MakeLink: TypeAlias = Callable[[Delivery, Mapping[str, Any]], str]
"""Makes what the mail of this delivery links to, by what the fact and the notice's properties say. It is called each
time the mail is composed: the same again, or as good."""

Fetch: TypeAlias = Callable[[str, str], Awaitable[Attachment | None]]
"""The file that is kept for a tenant under an id; None where it is not there any more."""

# A version of a template counts for what was said after it was saved.
_NOTICES = """
SELECT n.id, n.tenant, n.title, n.body, n.template, n.level, n.category, n.properties::text AS properties, n.created_at,
    n.link, n.attachments::text AS attachments, n.actions, n.matter,
    t.name AS tenant_name, c.name AS category_name, f.id AS fact_id, f.type, f.data::text AS data, f.occurred_at,
    f.stream_type, f.stream_id,
    (SELECT json_agg(json_build_object('name', s.name, 'channel', s.channel, 'locale', s.locale, 'subject', s.subject,
                                       'markup', s.markup, 'text', s.text))::text
     FROM (SELECT DISTINCT ON (x.name, x.channel, x.locale) x.* FROM tidings.templates x
           WHERE x.tenant = n.tenant AND x.name IN (n.template, 'notice') AND x.created_at <= n.created_at
           ORDER BY x.name, x.channel, x.locale, x.version DESC) s WHERE NOT s.retired) AS templates
FROM tidings.notices n JOIN tidings.tenants t ON t.id = n.tenant LEFT JOIN tidings.facts f ON f.id = n.fact_id
    LEFT JOIN tidings.categories c ON c.tenant = n.tenant AND c.id = n.category
WHERE n.id = ANY ($1::uuid[])
"""


@dataclass(frozen=True)
class Said:
    """A notice, with all that its messages are made of."""

    id: UUID
    template: str
    level: Level
    context: dict[str, Any]
    sources: dict[str, dict[tuple[str, str], Source]]  # the tenant's own by channel, each by name and locale
    approved: Any = None  # what WhatsApp is to make of it
    link: str | None = None  # by what name its mails' links are made
    attachments: tuple[Attachment, ...] = ()  # of its mails
    actions: tuple[str, ...] = ()  # what can be done about it
    language: str | None = None  # that it is said in, where it says so
    thread: str | None = None  # one for all that is said of its matter
    rendered: dict[tuple[str, str, str], Rendered] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(len(each.content) for each in self.attachments)

    def source(self, channel: str, locale: str) -> Source:
        own = self.sources.get(channel)
        return nearest(own, self.template, channel, locale) if own else standard(channel, self.template)


@dataclass
class Composer:
    pool: Pool
    vault: Vault  # of addresses
    renderer: Renderer
    unsubscribe_url: Callable[[Delivery], str | None]
    links: Mapping[str, MakeLink] = field(default_factory=dict)
    kept: Mapping[str, Fetch] = field(default_factory=dict)
    buttons: MakeButtons = lambda delivery, possible, said_in: ()
    notices: OrderedDict[UUID, Said] = field(default_factory=OrderedDict)
    aside: Aside = field(default_factory=Aside)

    def __post_init__(self) -> None:
        self.asking: Batcher[UUID, Said] = Batcher(self._load, at_once=2, most=500)
        self.checker = Checker(self.renderer)
        self.personal: dict[Source, bool] = {}

    async def compose(self, delivery: Delivery) -> Message:
        """Raises `TemplateError` for what cannot be rendered, and for a link or a file that nobody here has."""
        said = self.notices.get(delivery.notice_id) or await self.asking.ask(delivery.notice_id)
        buttons = self.buttons(delivery, said.actions, said.language)
        link = self._link(said, delivery)
        rendered = await self._rendered(said, delivery, buttons, link)
        to, secret = self._address(delivery)
        return Message(
            id=delivery.id,
            channel=delivery.channel,
            to=to,
            secret=secret,
            text=rendered.text,
            subject=rendered.subject,
            html=rendered.html,
            name=delivery.name,
            level=said.level,
            data=self._data(said, delivery),
            unsubscribe_url=self.unsubscribe_url(delivery),
            attachments=said.attachments if delivery.channel is Channel.EMAIL else (),
            buttons=buttons,
            thread=said.thread,
            link=link,
        )

    async def _rendered(self, said: Said, delivery: Delivery, buttons: Sequence[Button], link: str | None) -> Rendered:
        locale, zone = delivery.locale or _LOCALE, delivery.timezone or _ZONE
        source = said.source(delivery.channel, locale)
        if link is not None or (buttons and delivery.channel is Channel.EMAIL):
            context = self._linked(said, delivery, buttons, link)
            return await self._render(source, delivery.channel, context, locale, zone)
        if self._is_personal(source):
            return await self._render(source, delivery.channel, self._personal(said, delivery), locale, zone)
        key = (delivery.channel, locale, zone)
        if key not in said.rendered:
            said.rendered[key] = await self._render(source, delivery.channel, said.context, locale, zone)
        return said.rendered[key]

    async def _render(self, source: Source, channel: str, context: dict[str, Any], *place: str) -> Rendered:
        return await self.aside.run(source, partial(self.renderer.render, channel, source, context, *place))

    def _is_personal(self, source: Source) -> bool:
        if source not in self.personal:
            if len(self.personal) > _MOST_NOTICES:
                self.personal.clear()
            self.personal[source] = self.checker.uses_person(source)
        return self.personal[source]

    def _personal(self, said: Said, delivery: Delivery) -> dict[str, Any]:
        person = {
            "id": str(delivery.person_id),
            "name": delivery.name,
            "locale": delivery.locale or _LOCALE,
            "timezone": delivery.timezone or _ZONE,
            "externalId": delivery.external_id,
            "userType": delivery.user_type,
        }
        return said.context | {"person": person, "unsubscribe_url": self.unsubscribe_url(delivery)}

    def _linked(self, said: Said, delivery: Delivery, buttons: Sequence[Button], link: str | None) -> dict[str, Any]:
        """With links that are this person's alone. What goes along for programs does not have them."""
        links = [{"label": button.label, "url": button.url} for button in buttons]
        context = self._personal(said, delivery) | {"links": links}
        if link is None:
            return context
        return context | {"data": context["data"] | {"actionUrl": link}}

    def _link(self, said: Said, delivery: Delivery) -> str | None:
        """Made for a mail, and for nothing else."""
        link = said.link
        if link is None or delivery.channel is not Channel.EMAIL:
            return None
        make = self.links.get(link)
        if make is None:
            raise TemplateError(f"nobody here makes the link {link!r}", part="link")
        try:
            return make(delivery, said.context["data"])
        except (LookupError, ValueError) as error:
            raise TemplateError(f"the link {link!r} cannot be made of this ({error!r})", part="link") from None

    def _data(self, said: Said, delivery: Delivery) -> dict[str, Any]:
        """What goes along for programs: ids, and what the fact said."""
        ids = {"noticeId": str(said.id), "notificationId": str(delivery.notification_id)}

        def filled(text: str) -> str:
            place = (delivery.locale or _LOCALE, delivery.timezone or _ZONE)
            return self.renderer.line(text, self._personal(said, delivery), *place)

        return {**ids, **carried(delivery.channel, said.context, said.approved, filled), "category": delivery.category}

    def _address(self, delivery: Delivery) -> tuple[str, str | None]:
        """Where it goes, and the secret that it is signed with, where the address has one."""
        if delivery.channel is Channel.WEBSOCKET:
            return str(delivery.person_id), None
        if delivery.sealed is None:
            return delivery.address, None
        opened = json.loads(self.vault.open(delivery.sealed, delivery.tenant))
        return opened["url"], opened.get("secret")

    async def _load(self, ids: Sequence[UUID]) -> list[Said | Exception]:
        rows = await self.pool.fetch(_NOTICES, list(set(ids)))
        found = {row["id"]: await self._said(row) for row in rows}
        self.notices.update((notice, said) for notice, said in found.items() if isinstance(said, Said))
        attached = sum(said.size for said in self.notices.values())
        while len(self.notices) > _MOST_NOTICES or attached > _MOST_ATTACHED:
            attached -= self.notices.popitem(last=False)[1].size
        return [found.get(wanted) or LookupError("its notice is not there any more") for wanted in ids]

    async def _said(self, row: Any) -> Said | TemplateError:
        attached = attaching.of_json(row["attachments"])
        try:
            return _said(row, tuple([await self._file(row["tenant"], each) for each in attached]))
        except TemplateError as error:
            return error

    async def _file(self, tenant: str, attached: attaching.Attached) -> Attachment:
        if isinstance(attached, attaching.TextAttachment):
            return Attachment(attached.name, attached.media_type, attached.content)
        fetch = self.kept.get(attached.kind)
        found = None if fetch is None else await fetch(tenant, attached.id)
        if found is None:
            raise TemplateError(f"the {attached.kind} {attached.id} is not kept here", part="attachments")
        return found


def _said(row: Any, attachments: tuple[Attachment, ...]) -> Said:
    properties = json.loads(row["properties"])
    notice = {name: row[name] for name in ("title", "body", "level", "category")} | {
        "categoryName": row["category_name"]
    }
    context = _context(row, properties) | {
        "notice": notice,
        "tenant": {"id": row["tenant"], "name": row["tenant_name"]},
    }
    sources: dict[str, dict[tuple[str, str], Source]] = {}
    for own in json.loads(row["templates"] or "[]"):
        source = Source(own["subject"], own["markup"], own["text"])
        sources.setdefault(own["channel"], {})[own["name"], own["locale"]] = source
    return Said(
        row["id"],
        row["template"],
        Level(row["level"]),
        context,
        sources,
        properties.get(APPROVED),
        row["link"],
        attachments,
        tuple(row["actions"]),
        str(properties.get("locale") or "") or None,
        None if row["matter"] is None else _thread(row["tenant"], row["matter"]),
    )


def _thread(tenant: str, matter: str) -> str:
    """Short enough for a collapse id of Apple's, and says nothing of what it stands for."""
    return sha256(f"{tenant}\0{matter}".encode()).hexdigest()[:32]


def _context(row: Any, properties: dict[str, Any]) -> dict[str, Any]:
    """A notice that no fact caused, such as a test, has its properties and nothing more."""
    if row["fact_id"] is None:
        about = {"id": None, "type": None, "occurredAt": row["created_at"].isoformat()}
        return {"fact": about, "data": properties}
    data = data_of(row["data"])
    return context_of(Heard(row["fact_id"], row["tenant"], row["type"], data, row["occurred_at"]), properties)
