"""Cases for adapters that speak HTTP: the replies of their provider, put to every use that the suite has for them."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from tests.channels.authority import wrong_server_tls
from tests.channels.behaviours import Behaviour, Case, Provider
from tests.channels.servers import http_server as raw
from tests.channels.servers.http_server import Answering, HttpServer, Reply, Request
from tidings.spine.channels.port import Adapter, Message, Outcome, Sent
from tidings.spine.channels.registry import Outside

B = Behaviour


@dataclass(frozen=True)
class Replies:
    """What the provider answers. None: it has no such answer."""

    success: Reply
    busy: Reply = field(default_factory=lambda: Reply(503))
    waits: Reply | None = field(default_factory=lambda: Reply(429, headers={"Retry-After": "7"}))
    credentials: Reply | None = field(default_factory=lambda: Reply(401))
    rejected: Reply | None = field(default_factory=lambda: Reply(400))
    gone: Reply | None = None
    always: Mapping[str, Reply] = field(default_factory=dict)  # by path: what is fetched before, such as a token


Build = Callable[[str, Outside], Adapter]  # from the base URL of the server, which has no slash at its end
KeyOf = Callable[[Request], str]


def http_case(
    name: str,
    message: Message,
    build: Build,
    replies: Replies,
    *,
    receipt: str | None,
    key_of: KeyOf | None = None,
    cut_off: type[Outcome] | tuple[type[Outcome], ...] = Sent,
    aimed: bool = False,
) -> Case:
    """`key_of` finds the idempotency key in a request, where the provider takes one. `aimed`: the message goes to the
    server itself (a webhook), so that `build` is followed by `message.to` being set to the server's URL."""
    answers = {
        B.REFUSES_CREDENTIALS: replies.credentials,
        B.REJECTS_IT: replies.rejected,
        B.KNOWS_NO_SUCH_ADDRESS: replies.gone,
        B.ASKS_TO_WAIT: replies.waits,
    }
    cannot = frozenset(behaviour for behaviour, reply in answers.items() if reply is None)
    start = partial(_start, build, replies, key_of, aimed)
    return Case(name, message, start, receipt, cannot, cut_off)


@dataclass
class _HttpProvider:
    base_url: str
    build: Build
    replies: Replies
    key_of: KeyOf | None
    aimed: bool
    server: HttpServer | None
    _behaviour: Behaviour

    @property
    def behaviour(self) -> Behaviour:
        return self._behaviour

    @behaviour.setter
    def behaviour(self, behaviour: Behaviour) -> None:
        assert self.server is not None
        self._behaviour = behaviour
        self.server.answering = _answering(self.replies, behaviour)

    @property
    def keys(self) -> list[str]:
        assert self.server is not None
        return [self.key_of(request) for request in self.server.requests] if self.key_of else []

    def adapter(self, outside: Outside) -> Adapter:
        built = self.build(self.base_url, outside)
        return _Aimed(built, f"{self.base_url}/hook") if self.aimed else built


@dataclass(frozen=True)
class _Aimed:
    """Sends to the server of the test, wherever that came to listen."""

    adapter: Adapter
    url: str

    async def send(self, message: Message) -> Outcome:
        return await self.adapter.send(replace(message, to=self.url))

    async def close(self) -> None:
        await self.adapter.close()


@asynccontextmanager
async def _start(
    build: Build, replies: Replies, key_of: KeyOf | None, aimed: bool, behaviour: Behaviour
) -> AsyncIterator[Provider]:
    def provider(base_url: str, server: HttpServer | None = None) -> Provider:
        return _HttpProvider(base_url, build, replies, key_of, aimed, server, behaviour)

    match behaviour:
        case B.REFUSES_CONNECTIONS:
            yield provider(f"http://127.0.0.1:{unused_port()}")
        case B.NEVER_LETS_US_IN:
            async with raw.listening(raw.never_speaking) as port:
                yield provider(f"https://localhost:{port}")
        case B.HAS_A_WRONG_CERTIFICATE:
            async with raw.http_server(raw.orderly(replies.success), tls=wrong_server_tls()) as server:
                yield provider(f"https://localhost:{server.port}", server)
        case _:
            async with raw.http_server(_answering(replies, behaviour), always=replies.always) as server:
                yield provider(f"http://127.0.0.1:{server.port}", server)


def _answering(replies: Replies, behaviour: Behaviour) -> Answering:
    odd: dict[Behaviour, Answering] = {
        B.TAKES_IT_AND_IS_SILENT: raw.silent,
        B.TAKES_IT_AND_RESETS: raw.resetting,
        B.TAKES_IT_AND_NEVER_ENDS: raw.endless(replies.success),
        B.TAKES_IT_AND_DRIPS: raw.dripping(replies.success),
        B.TALKS_NONSENSE: raw.nonsense,
    }
    ordinary = {
        B.TAKES_IT: replies.success,
        B.IS_BUSY: replies.busy,
        B.ASKS_TO_WAIT: replies.waits,
        B.REFUSES_CREDENTIALS: replies.credentials,
        B.REJECTS_IT: replies.rejected,
        B.KNOWS_NO_SUCH_ADDRESS: replies.gone,
    }
    reply = ordinary.get(behaviour)
    return odd[behaviour] if reply is None else raw.orderly(reply)


def unused_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port
