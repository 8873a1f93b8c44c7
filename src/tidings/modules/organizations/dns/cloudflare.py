"""Records at Cloudflare, through its own SDK. Importing this imports the SDK, which takes a second.

All of it that is used: what it leaves for later it would import in the middle of a request, and the event loop waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from typing import Any, TypeVar, cast

from cloudflare import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncAPIResponse,
    AsyncCloudflare,
    DefaultAsyncHttpxClient,
)
from cloudflare.resources.dns.records import AsyncRecordsResourceWithRawResponse
from cloudflare.resources.zones import AsyncZonesResourceWithRawResponse

from tidings.kit.db import Pool
from tidings.kit.settings import Settings
from tidings.modules.organizations.dns.port import (
    DnsFailed,
    DnsRefused,
    NewRecord,
    Record,
    RecordExists,
    Zone,
    ZoneMissing,
    plain_name,
)
from tidings.modules.organizations.dns.turns import Turns
from tidings.spine.access.limiter import Limiter
from tidings.spine.channels.answers import in_short, retry_after
from tidings.spine.channels.network import open_network
from tidings.spine.channels.verdicts import number_in, objects_in

BUCKET = "dns:cloudflare"  # limits are those of the token, whichever zone it is for
_PAGE = 1_000
_AUTOMATIC = 1  # the time to live
_TAKEN = frozenset({81053, 81054, 81056, 81057, 81058})
_GONE = frozenset({81044})
_PASSING = frozenset({408, 425, 429})
_UNREADABLE = "Cloudflare's answer cannot be read."

_T = TypeVar("_T")


@dataclass(frozen=True)
class CloudflareDns:
    """`take` returns when it is our turn: each request waits for one, a page of a list as well.

    The SDK's own retries are off: whoever calls decides whether and when to try again.
    """

    client: AsyncCloudflare = field(repr=False)
    take: Callable[[], Awaitable[None]] = field(repr=False)
    deadline: timedelta  # of one request, without the wait for its turn
    page: int = _PAGE

    @property
    def asks_the_world(self) -> bool:
        return True

    @property
    def keeps_records(self) -> bool:
        return True

    async def zone(self, domain: str) -> Zone:
        answered = await self._ask(partial(self._zones.list, name=plain_name(domain)))
        for each in _listed(answered):
            if plain_name(_text(each, "name")) == plain_name(domain):
                return Zone(_text(each, "id"), _text(each, "name"))
        raise ZoneMissing(f"Cloudflare knows no zone {domain}, or the token may not see it.")

    async def records(self, zone: Zone, *, name: str | None = None, comment: str | None = None) -> list[Record]:
        """Cloudflare's filters know no case, and it might pass over one that it does not know: ours decide."""
        filters: dict[str, Any] = {"zone_id": zone.id, "per_page": self.page}
        if name is not None:
            filters["name"] = {"exact": plain_name(name)}
        if comment is not None:
            filters["comment"] = {"startswith": comment}
        found: dict[str, Record] = {}
        for page in count(1):
            answered = await self._ask(partial(self._records.list, **filters, page=page))
            new = {each.id: each for each in map(_record, _listed(answered)) if each.id not in found}
            found |= new
            if not new or _is_last(answered, page):
                break
        return [each for each in found.values() if each.answers(name, comment)]

    async def create(self, zone: Zone, record: NewRecord) -> Record:
        fields = {"type": record.type, "name": record.name, "content": record.content, "proxied": record.proxied}
        if record.comment is not None:
            fields["comment"] = record.comment
        create = cast("Any", self._records.create)  # it has one signature for each type of record
        return _record(await self._ask(partial(create, zone_id=zone.id, ttl=_AUTOMATIC, **fields)))

    async def delete(self, zone: Zone, record_id: str) -> None:
        try:
            answered = await self._ask(partial(self._records.delete, record_id, zone_id=zone.id))
        except _Gone:
            return
        _text(answered, "id")

    async def close(self) -> None:
        await self.client.close()

    @property
    def _zones(self) -> AsyncZonesResourceWithRawResponse:
        return self.client.zones.with_raw_response

    @property
    def _records(self) -> AsyncRecordsResourceWithRawResponse:
        return self.client.dns.records.with_raw_response

    async def _ask(self, request: Callable[[], Awaitable[AsyncAPIResponse[_T]]]) -> _T:
        """One request, in its turn. What comes of it other than an answer is one of the port's errors, without the

        SDK's own as its cause: that one holds the request, and so the token.
        """
        await self.take()
        try:
            async with asyncio.timeout(self.deadline.total_seconds()):
                answered = await request()
        except APIStatusError as error:
            raise self._meaning(error) from None
        except (TimeoutError, APITimeoutError):
            raise DnsFailed("Cloudflare did not answer in time.") from None
        except APIConnectionError as error:
            raise DnsFailed(self._said("There is no connection to Cloudflare", str(error.__cause__ or ""))) from None
        try:
            return await answered.parse()
        except Exception:  # in as many ways as there are for an answer to be something else
            raise DnsFailed(_UNREADABLE) from None

    def _meaning(self, error: APIStatusError) -> Exception:
        status, faults = error.status_code, _faults(error.body)
        codes = {number_in(fault, "code") for fault in faults}
        said = self._said(f"Cloudflare answered {status}", "; ".join(str(fault.get("message", "")) for fault in faults))
        if status in _PASSING or status >= 500:
            return DnsFailed(said, retry_after(error.response.headers, datetime.now(UTC)))
        if codes & _TAKEN:
            return RecordExists(said)
        return _Gone(said) if codes & _GONE else DnsRefused(said)

    def _said(self, reason: str, words: str) -> str:
        """In Cloudflare's own words, without the token if it repeats that."""
        token = self.client.api_token
        return in_short(reason, words.replace(token, "…") if token else words)


class _Gone(DnsRefused):
    """There is no such record any more."""


def open_cloudflare(settings: Settings, limiter_pool: Pool) -> CloudflareDns:
    """To be closed at the end. Connects when it is first asked; raises `Misconfigured` for a CA file that is none."""
    return CloudflareDns(opened(settings), Turns(Limiter(limiter_pool), BUCKET).take, settings.dns.deadline)


def opened(settings: Settings) -> AsyncCloudflare:
    """The SDK's client, which tries once, follows nobody elsewhere and takes nothing but the settings for true."""
    dns = settings.dns
    client = AsyncCloudflare(
        base_url=dns.url,
        api_token=dns.token.get_secret_value() if dns.token else "",
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(
            verify=open_network(settings.network).tls,
            timeout=dns.deadline.total_seconds(),
            follow_redirects=False,
            trust_env=False,
        ),
    )
    # The SDK reads these from the environment, and would send them in place of the token.
    client.api_email = client.api_key = client.user_service_key = None
    return client


def _faults(body: object) -> list[Mapping[str, Any]]:
    return objects_in(body, "errors") if isinstance(body, dict) else []


def _listed(answered: object) -> list[Any]:
    """What is on a page. A page that is none has not nothing on it: nobody knows what is there."""
    result = getattr(answered, "result", None)
    if getattr(answered, "success", None) is not True or not isinstance(result, list):
        raise DnsFailed(_UNREADABLE)
    return result


def _is_last(answered: object, page: int) -> bool:
    """Whether the page says so itself, which saves asking for one more. The SDK goes on until one is empty."""
    pages = getattr(getattr(answered, "result_info", None), "total_pages", None)
    return isinstance(pages, int) and page >= pages


def _record(answered: object) -> Record:
    return Record(
        id=_text(answered, "id"),
        type=_text(answered, "type"),
        name=_text(answered, "name"),
        content=str(getattr(answered, "content", None) or ""),  # some types have none
        proxied=getattr(answered, "proxied", None) is True,
        comment=str(getattr(answered, "comment", None) or "") or None,
    )


def _text(answered: object, name: str) -> str:
    value = getattr(answered, name, None)
    if not isinstance(value, str) or not value:
        raise DnsFailed(_UNREADABLE)
    return value
