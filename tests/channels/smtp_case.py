"""The case of mail over SMTP."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tests.channels.authority import wrong_server_tls
from tests.channels.behaviours import Behaviour, Case, Provider
from tests.channels.http_cases import unused_port
from tests.channels.servers import smtp_server as raw
from tests.channels.servers.smtp_server import Ending, SmtpServer
from tidings.spine.channels import smtp
from tidings.spine.channels.port import Adapter, Channel, Message, Unknown
from tidings.spine.channels.registry import Outside

B = Behaviour
MESSAGE = Message(
    id=UUID("0199d0f0-0000-7000-8000-000000000002"),
    channel=Channel.EMAIL,
    to="reader@example.com",
    subject="Your order was paid",
    text="Your order was paid.\n.\nThank you.",
    html="<p>Your order was paid.</p>",
)
_REPLIES = {
    B.IS_BUSY: {".": "451 4.3.0 try again later"},
    B.REFUSES_CREDENTIALS: {"AUTH": "535 5.7.8 no"},
    B.REJECTS_IT: {".": "554 5.7.1 not wanted"},
    B.KNOWS_NO_SUCH_ADDRESS: {"RCPT": "550 5.1.1 no such mailbox"},
    B.TALKS_NONSENSE: {"": "what is this"},
}
_ENDINGS: dict[Behaviour, dict[str, Ending]] = {
    B.NEVER_LETS_US_IN: {"": raw.silent},
    B.TAKES_IT_AND_IS_SILENT: {".": raw.silent},
    B.TAKES_IT_AND_RESETS: {".": raw.resetting},
    B.TAKES_IT_AND_NEVER_ENDS: {".": raw.endless},
    B.TAKES_IT_AND_DRIPS: {".": raw.dripping},
}


def smtp_adapter(port: int, outside: Outside, **more: Any) -> Adapter:
    config = {
        "host": "localhost",
        "port": port,
        "security": "none",
        "username": "sender",
        "password": "not a real one",
        "fromAddress": "news@example.org",
        "fromName": "Tidings",
        **more,
    }
    return smtp.build(smtp.SmtpConfig.model_validate(config), outside)


@dataclass
class _SmtpProvider:
    port: int
    _behaviour: Behaviour
    security: str = "none"
    server: SmtpServer = field(default_factory=SmtpServer)

    @property
    def behaviour(self) -> Behaviour:
        return self._behaviour

    @behaviour.setter
    def behaviour(self, behaviour: Behaviour) -> None:
        self._behaviour = behaviour
        self.server.replies = _REPLIES.get(behaviour, {})
        self.server.at = _ENDINGS.get(behaviour, {})

    @property
    def keys(self) -> list[str]:
        found = [re.search(rb"(?m)^Message-ID: <(.*)@example.org>", mail) for mail in self.server.mails]
        return [match[1].decode() if match else "none" for match in found]

    def adapter(self, outside: Outside) -> Adapter:
        return smtp_adapter(self.port, outside, security=self.security)


@asynccontextmanager
async def _start(behaviour: Behaviour) -> AsyncIterator[Provider]:
    if behaviour is B.REFUSES_CONNECTIONS:
        yield _SmtpProvider(unused_port(), behaviour)
        return
    tls = wrong_server_tls() if behaviour is B.HAS_A_WRONG_CERTIFICATE else None
    async with raw.smtp_server(_REPLIES.get(behaviour), _ENDINGS.get(behaviour), tls) as server:
        yield _SmtpProvider(server.port, behaviour, "tls" if tls else "none", server)


SMTP = Case(
    "smtp",
    MESSAGE,
    _start,
    receipt="2.0.0 queued as 4711",
    cannot=frozenset({B.ASKS_TO_WAIT}),
    cut_off=Unknown,  # a reply that does not end has not been given
)
