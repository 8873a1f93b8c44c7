"""docs/tutorial-telling-people.md, done as it stands, with `tidings up` and the mail server of the tutorial."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from email.header import decode_header, make_header
from pathlib import Path

import pytest

from tests.docs.pages import DocumentPage
from tidings.embedded.ports import free_port

PAGE = DocumentPage.read("docs/tutorial-telling-people.md")
FILES = {"people.csv": ("csv", ""), "rule.json": ("json", "factType"), "receipt.mjml": ("xml", "<mjml>")}


@pytest.mark.timeout(600)
def test_the_tutorial_ends_as_it_says(tmp_path: Path) -> None:
    for name, (language, containing) in FILES.items():
        (tmp_path / name).write_text(PAGE.block(language, containing), encoding="utf-8")
    shell = Shell(tmp_path, api=free_port(), mail=free_port())
    with shell.running("tidings", "up", until="Ready"):
        with shell.running("aiosmtpd", "-n", "-l", f"127.0.0.1:{shell.mail}", output=tmp_path / "mails"):
            told = shell.typed(PAGE.until("7. Let it die"))
        after = shell.typed(PAGE.after("7. Let it die").until("8. The inbox"))
    assert "total is 40, not greater than 100" in told
    assert "no address for push" in told
    assert "Pagato: 400,00" in told  # the preview
    mails = (tmp_path / "mails").read_text()
    subjects = {str(make_header(decode_header(each))) for each in re.findall("^Subject: (.*)$", mails, re.MULTILINE)}
    assert subjects == {"Paid: €500.00", "Pagato: 500,00 €"}
    assert mails.count("List-Unsubscribe: ") == 2
    assert "no connection to the mail server" in after


class Shell:
    """A folder with what the tutorial makes, and a shell in it."""

    def __init__(self, folder: Path, api: int, mail: int) -> None:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")}
        own = {"DATA_DIR": str(folder / "data"), "API_PORT": str(api), "NETWORK_ALLOW": f"127.0.0.1:{mail}"}
        self.environment = inherited | {f"TIDINGS_{name}": value for name, value in own.items()}
        self.folder, self.api, self.mail = folder, api, mail

    def typed(self, page: DocumentPage) -> str:
        script = page.script().replace("8400", str(self.api)).replace("2525", str(self.mail))
        done = subprocess.run(
            ["bash", "-euc", script], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextmanager
    def running(self, *command: str, until: str = "", output: Path | None = None) -> Iterator[None]:
        with (
            (output or self.folder / "log").open("w") as log,
            subprocess.Popen(
                [sys.executable, "-u", "-m", *command],
                env=self.environment,
                stdout=subprocess.PIPE if until else log,
                text=True,
            ) as process,
        ):
            try:
                assert process.stdout is None or any(until in line for line in process.stdout)
                yield
            finally:
                process.terminate()
