"""Outgoing HTTP over one session: guarded, pinned, without redirects, cookies or proxies, under one deadline.

The client is given the checked address as the URL's host, and the name only for the Host header and TLS: there is
nothing left for it to look up. A kept connection may be used again as long as it lives; it leads where it led.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from datetime import timedelta

import aiohttp
from aiohttp.abc import AbstractStreamWriter
from yarl import URL

from tidings.spine.channels.network import Network, literal_address
from tidings.spine.channels.places import Place, bracketed
from tidings.spine.channels.port import Answer, Deferred, Rejected, Unknown

_KEPT_IDLE = 4.0  # seconds; many servers close an idle connection after five, and a POST into that is `Unknown`
_ADDRESSES = 3  # of one host that are tried
_TIMES = aiohttp.ClientTimeout(total=None, sock_connect=10)  # one address that is dead leaves time for the next
_HEADERS = {"User-Agent": "Tidings", "Accept-Encoding": "identity"}


class HttpClient:
    """`Http` over aiohttp. To be opened inside a running loop and closed at the end."""

    def __init__(self, network: Network, deadline: timedelta, max_body: int, connections: int) -> None:
        self._network = network
        self._deadline = deadline.total_seconds()
        self._max_body = max_body
        connector = aiohttp.TCPConnector(
            limit=0, limit_per_host=connections, ssl=network.tls, keepalive_timeout=_KEPT_IDLE, use_dns_cache=False
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=_TIMES,
            headers=_HEADERS,
            auto_decompress=False,  # nobody is asked to compress: whoever does may be sending a bomb
        )

    async def request(
        self, method: str, url: str, *, headers: Mapping[str, str], body: bytes
    ) -> Answer | Deferred | Rejected | Unknown:
        place = self._network.checked_url(url)
        if isinstance(place, Rejected):
            return place
        if not all(value.isascii() and value.isprintable() for value in headers.values()):
            return Rejected("a header is not valid")
        progress = _Progress()
        try:
            async with asyncio.timeout(self._deadline):
                return await self._to_place(place, method, headers, body, progress)
        except TimeoutError:
            return progress.answer or (
                Unknown("no answer in time") if progress.sent else Deferred("no connection in time")
            )

    async def _to_place(
        self, place: Place, method: str, headers: Mapping[str, str], body: bytes, progress: _Progress
    ) -> Answer | Deferred | Rejected | Unknown:
        pinned = await self._network.resolve(place.host, place.port)
        if isinstance(pinned, Rejected | Deferred):
            return pinned
        outcome: Answer | Deferred | Rejected | Unknown = Deferred("no connection")
        for address in pinned.addresses[:_ADDRESSES]:
            outcome = await self._to_address(address, place, method, headers, body, progress)
            if not isinstance(outcome, Deferred):
                break
        return outcome

    async def _to_address(
        self, address: str, place: Place, method: str, headers: Mapping[str, str], body: bytes, progress: _Progress
    ) -> Answer | Deferred | Rejected | Unknown:
        try:
            async with self._session.request(
                method,
                URL(f"{place.scheme}://{bracketed(address)}:{place.port}{place.target}", encoded=True),
                data=_Body(body, progress),
                headers={**headers, "Host": place.authority},
                allow_redirects=False,
                server_hostname=_server_name(place),
            ) as response:
                return await self._read(response, progress)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return _why_not(error, progress)

    async def _read(self, response: aiohttp.ClientResponse, progress: _Progress) -> Answer:
        """The answer, as much of it as comes. Until its end, `progress` holds what there is of it."""
        headers = {name.lower(): value for name, value in response.headers.items()}
        body = b""
        progress.answer = Answer(response.status, headers, b"", whole=False)
        try:
            async for chunk in response.content.iter_any():
                body += chunk
                progress.answer = Answer(response.status, headers, body[: self._max_body], whole=False)
                if len(body) > self._max_body:
                    response.close()
                    return progress.answer
        except (aiohttp.ClientError, OSError):
            return progress.answer
        return Answer(response.status, headers, body)

    async def close(self) -> None:
        await self._session.close()


class _Progress:
    """How far a request has come."""

    __slots__ = ("answer", "sent")

    def __init__(self) -> None:
        self.sent = False  # or about to be
        self.answer: Answer | None = None


class _Body(aiohttp.BytesPayload):
    """Says when it is about to be sent: the head of the request goes with it. (A tracer would cost more.)"""

    def __init__(self, content: bytes, progress: _Progress) -> None:
        super().__init__(content)
        self._progress = progress

    async def write_with_length(self, writer: AbstractStreamWriter, content_length: int | None) -> None:
        self._progress.sent = True
        await super().write_with_length(writer, content_length)


def _server_name(place: Place) -> str | None:
    if place.scheme != "https" or literal_address(place.host) is not None:
        return None
    return place.host


def _why_not(error: Exception, progress: _Progress) -> Deferred | Unknown:
    if progress.sent:
        return Unknown("the connection broke before the answer")
    match error:
        case aiohttp.ClientConnectorCertificateError() | ssl.SSLCertVerificationError():
            return Deferred("the server's certificate is not acceptable")
        case aiohttp.ClientConnectorSSLError():
            return Deferred("no TLS with this server")
        case _:
            return Deferred("no connection")
