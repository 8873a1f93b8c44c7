"""Mail over SMTP, through connections that are kept open."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated

from aiosmtplib import SMTPException, SMTPResponseException
from pydantic import AfterValidator, Field

from tidings.spine.channels.answers import in_short
from tidings.spine.channels.mail_config import MailConfig
from tidings.spine.channels.mail_headers import Mailbox
from tidings.spine.channels.mime import Mail, build_mail
from tidings.spine.channels.places import ascii_host
from tidings.spine.channels.port import Channel, Deferred, Message, Outcome, Rejected, Unknown
from tidings.spine.channels.registry import Outside, ProviderType, Secret
from tidings.spine.channels.smtp_connections import Connections, Line, MailServer, Security
from tidings.spine.channels.smtp_session import Progress, hand_over


def _host(value: str) -> str:
    host = ascii_host(value)
    if host is None:
        raise ValueError("must be a host's name or address")
    return host


class SmtpConfig(MailConfig):
    host: Annotated[str, AfterValidator(_host)] = Field(description="the mail server")
    port: int = Field(587, ge=1, le=65535)
    security: Security = Field("starttls", description="`tls` from the first byte on, `starttls`, or `none`")
    username: str | None = None
    password: Secret | None = None
    verify: bool = Field(True, description="whether the server's certificate must be good")
    connections: int = Field(4, ge=1, le=100, description="most that each worker keeps open")


class SmtpAdapter:
    """One mail at a time on each connection, each within one deadline."""

    def __init__(
        self, connections: Connections, sender: Mailbox, deadline: timedelta, now: Callable[[], datetime]
    ) -> None:
        self._connections = connections
        self._sender = sender
        self._deadline = deadline.total_seconds()
        self._now = now

    async def send(self, message: Message) -> Outcome:
        mail = build_mail(message, self._sender, self._now())
        if isinstance(mail, Rejected):
            return mail
        progress = Progress()
        try:
            async with asyncio.timeout(self._deadline):
                return await self._first_or_fresh(mail, progress)
        except TimeoutError:
            return _broken("no answer in time", progress)

    async def _first_or_fresh(self, mail: Mail, progress: Progress) -> Outcome:
        """Over a kept connection; if the server had given that up, over a new one."""
        outcome = await self._over_a_line(mail, progress, fresh=False)
        return outcome or await self._over_a_line(mail, progress, fresh=True) or Deferred("the connection broke")

    async def _over_a_line(self, mail: Mail, progress: Progress, *, fresh: bool) -> Outcome | None:
        """None: a kept connection turned out to be dead before anything of the mail was sent."""
        used = False
        try:
            async with self._connections.line(fresh=fresh) as line:
                match line:
                    case Line(client, used):
                        return await hand_over(client, mail, progress, used)
                    case Deferred():
                        return line
        except SMTPResponseException as error:
            return _broken(in_short("an answer that is none", error.message), progress)
        except (SMTPException, OSError):
            return None if used and not progress.sent else _broken("the connection broke", progress)

    async def close(self) -> None:
        await self._connections.close()


def _broken(reason: str, progress: Progress) -> Deferred | Unknown:
    return Unknown(reason) if progress.sent else Deferred(reason)


def build(config: SmtpConfig, outside: Outside) -> SmtpAdapter:
    server = MailServer(
        config.host,
        config.port,
        config.security,
        outside.network.tls if config.verify else _without_verifying(),
        config.sender.domain,
        config.username,
        config.password.get_secret_value() if config.password else None,
    )
    connections = Connections(server, outside.network, config.connections)
    return SmtpAdapter(connections, config.sender, outside.deadline, outside.now)


def _without_verifying() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _lines(config: SmtpConfig) -> int:
    return config.connections


PROVIDER = ProviderType("smtp", frozenset({Channel.EMAIL}), SmtpConfig, build, safe_to_resend=False, lines=_lines)
