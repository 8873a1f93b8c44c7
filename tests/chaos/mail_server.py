"""A mail server on loopback that treats each recipient as it is told. The ledger says what it took for whom."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum

from tests.channels.servers.http_server import listening

_MESSAGE_ID = re.compile(rb"(?mi)^Message-ID:\s*<([^@>]+)@")


class Treatment(StrEnum):
    WELL = "well"
    CLOSING = "421"
    GREYLISTED = "greylisted"
    NOBODY = "550, no such mailbox"
    POLICY = "550, policy"
    DROPPED = "dropped after the final dot"


_ON_RECIPIENT = {
    Treatment.CLOSING: "421 4.3.2 going down",
    Treatment.GREYLISTED: "450 4.7.1 come back later",
    Treatment.NOBODY: "550 5.1.1 no such user here",
    Treatment.POLICY: "550 5.7.1 refused by policy",
}
_FOR_GOOD = (Treatment.NOBODY, Treatment.POLICY)
_PLAIN = {"EHLO": "250 ready", "HELO": "250 ready", "MAIL": "250 go on", "RSET": "250 at rest", "QUIT": "221 bye"}


@dataclass
class MailServer:
    """What passes is said once to each recipient; then they are treated well."""

    treatment: Callable[[str], Treatment]
    asked: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # how often each recipient was named
    taken: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # recipient → ids of what was taken
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        recipient = ""
        try:
            writer.write(b"220 mail.example.com ESMTP\r\n")
            while line := (await reader.readline()).decode().rstrip("\r\n"):
                verb = line.partition(" ")[0].upper()
                if verb == "RCPT":
                    recipient = line.partition("<")[2].partition(">")[0]
                    answer = self._on_recipient(recipient)
                elif verb == "DATA":
                    answer = await self._take(recipient, reader, writer)
                else:
                    answer = _PLAIN.get(verb, "500 what?")
                writer.write(answer.encode() + b"\r\n" if answer else b"")
                await writer.drain()
                if not answer or answer.startswith(("221", "421")):
                    return
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _on_recipient(self, recipient: str) -> str:
        treatment = self.treatment(recipient)
        self.asked[recipient] += 1
        again = self.asked[recipient] > 1 and treatment not in _FOR_GOOD
        return "250 go on" if again else _ON_RECIPIENT.get(treatment, "250 go on")

    async def _take(self, recipient: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        """Takes the mail; the answer, or none where the connection is dropped instead."""
        writer.write(b"354 go on\r\n")
        content = await reader.readuntil(b"\r\n.\r\n")
        found = _MESSAGE_ID.search(content)
        assert found is not None
        self.taken[recipient].append(found[1].decode())
        dropped = self.treatment(recipient) is Treatment.DROPPED and len(self.taken[recipient]) == 1
        return "" if dropped else "250 2.0.0 queued"


@asynccontextmanager
async def running_mail_server(treatment: Callable[[str], Treatment]) -> AsyncIterator[MailServer]:
    server = MailServer(treatment)
    async with listening(server.serve) as server.port:
        yield server


def mail_config(port: int) -> dict[str, object]:
    return {"host": "127.0.0.1", "port": port, "security": "none", "fromAddress": "tidings@example.com"}
