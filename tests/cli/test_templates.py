"""Templates on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Tidings

MARKUP = """<mjml><mj-body><mj-section><mj-column><mj-text>{{ data.total }}</mj-text></mj-column></mj-section></mj-body>
</mjml>"""


@pytest.fixture
def markup(tmp_path: Path) -> str:
    file = tmp_path / "receipt.mjml"
    file.write_text(MARKUP, encoding="utf-8")
    return str(file)


def test_a_template_is_saved_looked_at_and_retired(tidings: Tidings, markup: str, tmp_path: Path) -> None:
    save = ("templates", "save", "receipt", "email", "--markup", markup, "--subject")
    assert tidings(*save, "Paid", "--json").data["version"] == 1
    assert tidings(*save, "Pagato", "--locale", "IT", "--json").data["locale"] == "it"
    page = tmp_path / "page.html"
    look = ("templates", "preview", "receipt", "email", "--data", '{"total": 42}', "--html", str(page))
    assert tidings(*look, "--locale", "it-CH").out == "Subject: Pagato\n\n42\n"
    assert "42" in page.read_text()
    listed = tidings("templates", "list", "--json").data
    assert [each["locale"] for each in listed if each["name"] == "receipt"] == ["", "it"]
    assert tidings("templates", "retire", "receipt", "email").code == 0
    assert tidings("templates", "retire", "receipt", "email").code == 2


def test_what_is_wrong_with_a_template_is_one_line(tidings: Tidings, markup: str) -> None:
    for arguments, said in (
        (("save", "receipt", "email", "--markup", markup), "subject: is missing"),
        (("save", "receipt", "sms", "--markup", markup), "text: is missing"),
        (("save", "Receipt!", "sms"), "NAME:"),
        (("preview", "receipt", "pigeon"), "CHANNEL:"),
        (("preview", "receipt", "push"), "there is no template named receipt"),
        (("preview", "notice", "push", "--locale", "!"), "--locale:"),
    ):
        refused = tidings("templates", *arguments)
        assert (refused.code, refused.err.count("\n"), said in refused.err) == (2, 1, True), refused.err


def test_a_rule_is_changed_by_what_is_given(tidings: Tidings, tmp_path: Path) -> None:
    file = tmp_path / "rule.json"
    rule = {
        "name": "Orders",
        "factType": "order.paid",
        "audience": [{"by": "everyone"}],
        "title": "Paid",
        "body": "Paid",
    }
    file.write_text(json.dumps(rule | {"channels": ["push"]}))
    made = tidings("rules", "create", str(file)).out.strip()
    file.write_text('{"level": "critical"}')
    changed = tidings("rules", "change", made, str(file), "--json").data
    assert (changed["version"], changed["level"], changed["title"]) == (2, "critical", "Paid")
    file.write_text('{"level": "shrill"}')
    assert "level" in tidings("rules", "change", made, str(file)).err
