"""An organisation that is taken on by `tidings up` as it is, with nothing set but shorter waits."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.embedded.stacks import until
from tidings.embedded.ports import free_port

WAITS = {"PROPAGATION_WAIT": "1s", "VERIFY_EVERY": "1s"}
ADMIN = "ada@north.example.com"
ASKED = {
    "name": "The north clinic",
    "type": "provider",
    "contactEmail": "office@north.example.com",
    "subdomain": "north",
    "users": [
        {"email": ADMIN, "firstName": "Ada", "lastName": "Admin", "role": "provider_admin"},
        {"email": "max@north.example.com", "firstName": "Max", "lastName": "Member", "role": "member"},
    ],
}


@dataclass(frozen=True)
class Up:
    """`tidings up`, and somebody with a key to all of it."""

    url: str
    environment: Mapping[str, str]

    def tidings(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "tidings", *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True).stdout

    def client(self, **headers: str) -> httpx.Client:
        """Who may keep cookies."""
        return httpx.Client(base_url=f"{self.url}/v1", headers=headers, timeout=30, trust_env=False)

    def admin(self) -> httpx.Client:
        key = self.tidings("key", "create", "--name", "tests").strip()
        return self.client(Authorization=f"Bearer {key}")


@contextmanager
def running(data_dir: Path) -> Iterator[Up]:
    port = free_port()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")}
    own = {"TIDINGS_DATA_DIR": str(data_dir), "TIDINGS_API_PORT": str(port)}
    environment = inherited | own | {f"TIDINGS_ORGANIZATIONS_{name}": value for name, value in WAITS.items()}
    up = [sys.executable, "-m", "tidings", "up"]
    with subprocess.Popen(up, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert any("Ready" in line for line in process.stdout)
            yield Up(f"http://127.0.0.1:{port}", inherited | own)
        finally:
            process.terminate()


def data(reply: httpx.Response) -> Any:
    assert reply.is_success, reply.text
    return reply.json()["data"]


def ended(api: httpx.Client, id: str) -> dict[str, Any]:
    while True:
        status: dict[str, Any] = data(api.get(f"/organizations/bootstrap/{id}/status"))
        if status["closedAt"] is not None:
            return status
        time.sleep(0.2)


def token_mailed_to(api: httpx.Client, address: str) -> str:
    """As it stands in the link of the mail."""
    kept = [data(api.get(f"/sandbox/{each['id']}")) for each in data(api.get("/sandbox", params={"channel": "email"}))]
    (mail,) = [each for each in kept if each["to"] == address]
    found = re.search(r"http://\S+/auth/accept-invitation\?token=([A-Za-z0-9_-]{43})", mail["text"])
    assert found
    assert found[0].startswith(str(api.base_url).removesuffix("/v1/"))
    return found[1]


@pytest.mark.timeout(600)
def test_it_is_complete_and_its_admin_comes_in_by_the_mail_in_the_sandbox(open_dir: Path) -> None:
    with running(open_dir / "data") as up, up.client() as nobody, up.admin() as api:
        accepted = api.post("/organizations/bootstrap", json=ASKED)
        assert accepted.status_code == 202
        id = data(accepted)["organizationId"]  # noqa: A001
        status = ended(api, id)
        assert (status["status"], status["error"], status["domain"]) == ("completed", None, "north.tidings.localhost")
        assert {step["completed"] for step in status["progress"]} == {True}
        assert status["mails"] == {"sent": 2, "failed": 0, "waiting": 0}
        assert "completed" in up.tidings("organizations", "show", id)

        token = token_mailed_to(api, ADMIN)
        opened = data(nobody.post("/invitations/look", json={"token": token}))
        assert (opened["organization"], opened["email"], opened["role"]) == (ASKED["name"], ADMIN, "provider_admin")
        joined = nobody.post("/invitations/accept", json={"token": token, "password": "correct horse battery"})
        assert joined.status_code == 201
        assert data(nobody.get("/session"))["email"] == ADMIN
        assert [each["id"] for each in nobody.get("/organizations").json()["data"]] == [id]
        until(lambda: up.tidings("organizations", "reconcile") == "Nothing is wrong.\n")
        assert up.tidings("projections", "rebuild") == "Nothing differed.\n"
