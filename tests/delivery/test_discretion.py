"""A provider that repeats our secrets: they are not kept, however it writes them."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from urllib.parse import quote
from uuid import uuid4

import pytest

from tidings.spine.channels.port import Button, Channel, Deferred, Message, Outcome, Rejected, Sent, Unknown
from tidings.spine.channels.twilio import TwilioConfig
from tidings.spine.delivery.discretion import Discreet, hidden, secrets_of

SECRET = "s3cret/of+ours and=more"
WAYS = {
    "as it is": SECRET,
    "in a URL": quote(SECRET, safe=""),
    "in JSON": json.dumps(SECRET),
    "in base64": base64.b64encode(SECRET.encode()).decode(),
    "cut at the end": SECRET[:12],
    "in a header": "Basic " + base64.b64encode(b"user:" + SECRET.encode()).decode(),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_secret_is_hidden_however_it_is_written(way: str) -> None:
    shown = hidden(f"answered 401: no such key: {WAYS[way]}", [SECRET])
    assert shown.startswith("answered 401: no such key: ")
    assert not any(written.strip('"')[:12] in shown for written in WAYS.values() if not written.startswith("Basic"))
    assert "dXNlcj" not in shown


def test_what_holds_no_secret_stays_as_it_is() -> None:
    assert hidden("answered 503: try again", [SECRET, "", "a", "again"]) == "answered 503: try again"


@dataclass(frozen=True)
class Repeating:
    outcome: Outcome

    async def send(self, message: Message) -> Outcome:
        return self.outcome

    async def close(self) -> None: ...


URL = "https://hooks.example.com/services/T0/a-long-token?key=another-token"


@pytest.mark.parametrize("kind", [Deferred, Rejected, Unknown, Sent])
async def test_neither_the_configurations_nor_the_addresss_secrets_come_back(kind: type) -> None:
    config = TwilioConfig.model_validate({"accountSid": "AC1", "authToken": "token-of-twilio", "from": "+1"})
    said = f"no token-of-twilio, no {URL}, no /services/T0/a-long-token, no another-token, no whsec_c2VjcmV0c2VjcmV0"
    message = Message(uuid4(), Channel.SLACK, URL, "text", secret="whsec_c2VjcmV0c2VjcmV0")
    outcome = await Discreet(Repeating(kind(said)), secrets_of(config)).send(message)
    assert outcome == kind("no …, no …, no …, no …, no …")


@pytest.mark.parametrize("kind", [Deferred, Rejected, Unknown, Sent])
async def test_the_links_of_a_message_do_not_come_back(kind: type) -> None:
    buttons = (Button("Confirm", "https://tidings.example/act/token-of-confirm"),)
    link = "https://tidings.example/auth/accept-invitation?token=token-of-invitation"
    message = Message(uuid4(), Channel.EMAIL, "owner@example.com", "text", buttons=buttons, link=link)
    said = f"refused for https://tidings.example/act/token-of-confirm and {link}"
    outcome = await Discreet(Repeating(kind(said)), ()).send(message)
    assert outcome == kind(
        "refused for https://tidings.example/act/… and https://tidings.example/auth/accept-invitation?token=…"
    )
