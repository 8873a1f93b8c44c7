"""What the README says, done as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tidings.embedded.ports import free_port

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _block(language: str, containing: str) -> str:
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return next(block for block in blocks if containing in block)


def test_the_first_fact_is_emitted_and_handled(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "hello.py").write_text(_block("python", "tidings.handler"), encoding="utf-8")
    environment = {**os.environ, "TIDINGS_DATABASE_URL": database_url, "TIDINGS_MASTER_KEY": "A" * 43}
    for _ in range(2):
        subprocess.run([sys.executable, "hello.py"], cwd=tmp_path, env=environment, check=True)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(_block("sql", "tidings.emit").encode())
    command = [sys.executable, "-m", "tidings", "emit", "order.paid", '{"order_id": 9}', "--key", "order.paid:9"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)

    worker = [sys.executable, "-m", "tidings", "worker", "--load", "hello.py"]
    with subprocess.Popen(worker, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = {process.stdout.readline().strip() for _ in range(3)}
        process.terminate()
    assert said == {f"Thank you for order {number}!" for number in (7, 8, 9)}


@pytest.mark.timeout(180)
def test_one_rule_and_one_fact_and_the_sandbox_shows_a_mail_a_push_and_a_slack_message(tmp_path: Path) -> None:
    """Everything with real parts: `tidings up`, and the README's own lines in a shell."""
    port, tidings = free_port(), f"{sys.executable} -m tidings"
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")}
    environment = inherited | {"TIDINGS_DATA_DIR": str(tmp_path / "data"), "TIDINGS_API_PORT": str(port)}
    script = _block("sh", "post rules").replace(".venv/bin/tidings", tidings).replace("8400", str(port))
    up = [sys.executable, "-m", "tidings", "up"]
    with subprocess.Popen(up, env=environment, stdout=subprocess.PIPE, text=True) as stack:
        try:
            assert stack.stdout is not None
            assert any("Ready" in line for line in stack.stdout)
            told = subprocess.run(
                ["bash", "-euc", script], env=environment, capture_output=True, text=True, check=True
            ).stdout
        finally:
            stack.terminate()
    for channel, to in (("email", "owner@example.com"), ("push", "device-1"), ("slack", "https://hooks.slack.com/")):
        assert re.search(rf"{channel} +{re.escape(to)}.* Order 11 is paid", told), told
    assert "The owner got it" in told
    assert "notice.settled" in told


def test_every_file_that_a_document_links_to_is_there() -> None:
    documents = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")]
    documents += (ROOT / "docs").rglob("*.md")
    missing = [
        f"{document.name}: {target}"
        for document in documents
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
        if not (document.parent / target).exists()
    ]
    assert not missing


def test_the_generated_reference_is_true() -> None:
    checked = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "reference.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
