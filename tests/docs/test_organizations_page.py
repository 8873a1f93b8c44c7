"""The example of docs/reference/organizations.md, done as it stands, with the waits that it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import DocumentPage
from tests.docs.test_telling_tutorial import Shell
from tidings.embedded.ports import free_port

PAGE = DocumentPage.read("docs/reference/organizations.md").after("Trying it")


@pytest.mark.timeout(600)
def test_an_organisation_is_taken_on_and_its_admin_signed_in(tmp_path: Path) -> None:
    shell = Shell(tmp_path, api=free_port(), mail=free_port())
    shell.environment |= dict(re.findall(r"(TIDINGS_ORGANIZATIONS_\w+)=(\S+) make up", PAGE.text))
    with shell.running("tidings", "up", until="Ready"):
        said = shell.typed(PAGE)
    assert "domain       north.tidings.localhost\n" in said
    assert "verifyDns            done" in said
    assert "Subject: You are invited to The north clinic" in said
    assert '"hasLogin":false' in said
    assert '"email":"ada@north.example.com","name":"Ada Admin","tenant":"default","role":"member"' in said
    assert '"type":"invitation.accepted"' in said
