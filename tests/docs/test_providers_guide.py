"""docs/how-to/providers.md, done as it stands."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from tests.channels.servers import firebase
from tests.docs.pages import DocumentPage
from tidings.embedded.ports import free_port
from tidings.spine.channels.port import Channel, Message
from tidings.spine.channels.webhook import payload, signed_headers, signing_key

PAGE = DocumentPage.read("docs/how-to/providers.md")
SECRET = "whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=="


def test_every_provider_of_the_guide_can_be_set_up_as_it_says(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "service-account.json").write_text(firebase.service_account("https://oauth2.googleapis.com/token"))
    environment = {**os.environ, "TIDINGS_DATABASE_URL": database_url, "TIDINGS_MASTER_KEY": "A" * 43}
    done = subprocess.run(
        ["bash", "-euc", PAGE.script()], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for channel in (each for each in Channel if each not in (Channel.WEBSOCKET, Channel.APPRISE)):
        assert f"  {channel} " in done.stdout, channel


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[str]:
    """The URL of the guide's own receiver of webhooks."""
    (tmp_path / "receiver.py").write_text(PAGE.block("python", "is_ours"), encoding="utf-8")
    port = free_port()
    environment = {**os.environ, "WEBHOOK_SECRET": SECRET, "PORT": str(port)}
    with subprocess.Popen([sys.executable, "receiver.py"], cwd=tmp_path, env=environment) as process:
        url = f"http://127.0.0.1:{port}/"
        while _posted(url, b"", {}) is None:
            assert process.poll() is None
        yield url
        process.terminate()


def test_the_receiver_of_the_guide_takes_what_is_signed_and_nothing_else(receiver: str) -> None:
    now = datetime.now(UTC)
    body = payload(Message(uuid4(), Channel.WEBHOOK, receiver, "Paid", subject="Order 7"), now)
    moment = int(now.timestamp())
    assert _signed(receiver, body, moment, SECRET) == 204
    assert _signed(receiver, body, moment, "whsec_" + "A" * 32) == 401
    assert _signed(receiver, body, moment - 600, SECRET) == 401
    assert _posted(receiver, body, {}) == 401


def _signed(url: str, body: bytes, moment: int, secret: str) -> int | None:
    key = signing_key(secret)
    assert key is not None
    return _posted(url, body, signed_headers(hashlib.sha256(body).hexdigest(), moment, body, key))


def _posted(url: str, body: bytes, headers: dict[str, str]) -> int | None:
    """The status of the answer; None where nobody listens yet."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
            status: int = answer.status
            return status
    except urllib.error.HTTPError as error:
        return error.code
    except urllib.error.URLError:
        return None
