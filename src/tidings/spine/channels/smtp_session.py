"""One mail over one open connection, step by step."""

from __future__ import annotations

import re

from aiosmtplib import SMTP, SMTPException

from tidings.spine.channels.answers import in_short
from tidings.spine.channels.mime import Mail
from tidings.spine.channels.port import Outcome, Rejected, Sent, Unknown
from tidings.spine.channels.smtp_replies import Step, outcome_of_reply

_LEADING_DOT = re.compile(rb"(?m)^\.")
_CLOSING = 421


class Progress:
    """Whether the content, final dot and all, was written, or may have been."""

    __slots__ = ("sent",)

    def __init__(self) -> None:
        self.sent = False


async def hand_over(client: SMTP, mail: Mail, progress: Progress, used: bool) -> Outcome | None:
    """What came of it; None where a connection that was `used` before turns out to be closing down.

    Raises `SMTPException` or `OSError` where the connection breaks: `progress` says whether that was too late.
    """
    if mail.needs_utf8 and not client.supports_extension("smtputf8"):
        return Rejected("the mail server takes no addresses beyond ASCII")
    options = [b"SMTPUTF8"] if mail.needs_utf8 else []
    reply = await client.execute_command(b"MAIL", f"FROM:<{mail.sender}>".encode(), *options)
    if reply.code == _CLOSING and used:
        return None
    if reply.code != 250:
        return outcome_of_reply(Step.SENDER, reply.code, reply.message)
    reply = await client.execute_command(b"RCPT", f"TO:<{mail.recipient}>".encode())
    if reply.code not in {250, 251}:
        return await _taken_back(client, outcome_of_reply(Step.RECIPIENT, reply.code, reply.message))
    reply = await client.execute_command(b"DATA")
    if reply.code != 354:
        return await _taken_back(client, outcome_of_reply(Step.CONTENT, reply.code, reply.message))
    return await _content(client, mail, progress)


async def _content(client: SMTP, mail: Mail, progress: Progress) -> Outcome:
    protocol = client.protocol
    if protocol is None:
        raise SMTPException("closed between the command and the content")
    progress.sent = True
    protocol.write(_LEADING_DOT.sub(b"..", mail.content) + b".\r\n")
    reply = await protocol.read_response()
    if reply.code == 250:
        return Sent(receipt=in_short(reply.message) or mail.message_id)
    if not 400 <= reply.code < 600:
        return Unknown(in_short(f"answered {reply.code}", reply.message))
    if reply.code == _CLOSING:
        client.close()
    return outcome_of_reply(Step.CONTENT, reply.code, reply.message)


async def _taken_back(client: SMTP, outcome: Outcome) -> Outcome:
    """Leaves the server at rest for the next mail; where it will not be, the connection is given up."""
    try:
        at_rest = client.is_connected and (await client.execute_command(b"RSET")).code == 250
    except (SMTPException, OSError):
        at_rest = False
    if not at_rest:
        client.close()
    return outcome
