"""The ways in which a provider over HTTP misbehaves, and what each means for a delivery."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from urllib.parse import urlsplit

from tests.channels.servers.http_server import Answering, Reply, Request, endless, orderly, resetting
from tests.channels.servers.twilio import accepted, form_in
from tests.chaos.endpoint import OK, Hit

_LONG = 7  # more than there are attempts
_ABSURD = ("999999999999", "Fri, 31 Dec 9999 23:59:59 GMT")
_GARBAGE = ("soon", "-5", "1e400", "", "0x10", "Feb 30", "\u0663")


@dataclass(frozen=True)
class Misbehaviour:
    """`outcome` is what an attempt that meets it comes to. It lasts for at most `longest` requests of an address."""

    name: str
    outcome: str
    answer: Callable[[Hit], Answering]
    longest: int = _LONG
    type: str = "webhook"
    held: bool = False
    trusted: bool = True
    well: Reply = OK

    @property
    def channel(self) -> str:
        return "sms" if self.type == "twilio" else self.type

    @property
    def final(self) -> str | None:
        """How a delivery ends that meets it once; None: it is tried again."""
        ends = {"sent": "sent", "rejected": "failed"}
        return "held" if self.held else ends.get(self.outcome)


def drip(reply: Reply, at_once: int) -> Answering:
    """One byte a second after the first few; and when it is through, more of them."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        whole = reply.head(1_000_000) + b" " * 1_000_000
        writer.write(whole[:at_once])
        for byte in whole[at_once:]:
            await asyncio.sleep(1)
            if writer.is_closing():
                return
            writer.write(bytes([byte]))
            await writer.drain()

    return answer


def _try_later(hit: Hit, said: str) -> Answering:
    return orderly(Reply(429, b"slow down", {"Retry-After": said}))


def _soon() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)


_WHOLE_HEAD = len(OK.head(1_000_000))
_REFUSED = json.loads(accepted().body) | {"status": "failed", "error_code": 30007, "error_message": "filtered"}

BEHAVIOURS = (
    Misbehaviour("accepts, then resets", "unknown", lambda hit: resetting),
    Misbehaviour("429, Retry-After in seconds", "deferred", lambda hit: _try_later(hit, "1"), longest=2),
    Misbehaviour("429, Retry-After as a date", "deferred", lambda hit: _try_later(hit, _soon()), longest=2),
    Misbehaviour(
        "429, Retry-After absurd",
        "deferred",
        lambda hit: _try_later(hit, _ABSURD[_number(hit) % len(_ABSURD)]),
        longest=1,
    ),
    Misbehaviour(
        "429, Retry-After garbage", "deferred", lambda hit: _try_later(hit, _GARBAGE[_number(hit) % len(_GARBAGE)])
    ),
    Misbehaviour("5xx", "deferred", lambda hit: orderly(Reply(500 + _number(hit) % 5, b"sorry"))),
    Misbehaviour(
        "200 that is no yes (Slack)",
        "unknown",
        lambda hit: orderly(Reply(200, b"<p>sign in")),
        type="slack",
        held=True,
    ),
    Misbehaviour(
        "200 with an error in it (Slack)", "rejected", lambda hit: orderly(Reply(200, b"no_service")), type="slack"
    ),
    Misbehaviour(
        "200 with an error in it (Twilio)",
        "rejected",
        lambda hit: orderly(Reply(200, json.dumps(_REFUSED).encode())),
        type="twilio",
        well=accepted(),
    ),
    Misbehaviour("endless body", "sent", lambda hit: endless(OK)),
    Misbehaviour("body of one byte a second", "sent", lambda hit: drip(OK, _WHOLE_HEAD)),
    Misbehaviour("head of one byte a second", "unknown", lambda hit: drip(OK, 5), longest=2),
    Misbehaviour("wrong TLS", "deferred", lambda hit: orderly(OK), trusted=False),
)
ABSURD = next(n for n, each in enumerate(BEHAVIOURS) if each.name == "429, Retry-After absurd")


def path_of_request(request: Request) -> str:
    return f"/sms/{form_in(request)['To']}" if request.target.startswith("/2010-04-01/") else request.target


def path_of_address(address: str) -> str:
    return f"/sms/{address}" if address.startswith("+") else urlsplit(address).path


def _number(hit: Hit) -> int:
    return int(hit.path.rpartition("/")[2])
