"""`tidings people` on the command line."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Tidings


def test_a_file_is_imported_and_its_people_are_shown(tidings: Tidings, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text(
        "external_id,name,email,slack_webhook,quiet_from,quiet_until\n"
        "7,Somebody,somebody@example.com,https://hooks.slack.example/canary,22:00,07:00\n"
        "8,Other,,,,\n"
    )
    assert tidings("people", "list").out == "Nobody.\n"
    checked = tidings("people", "import", str(file), "--dry-run")
    assert (checked.code, checked.out) == (0, "2 rows: 2 people would be created, 0 would be changed.\n")
    done = tidings("people", "import", str(file), "--json")
    assert (done.code, done.data["status"], done.data["created"], done.err) == (0, "done", 2, "")
    listed = tidings("people", "list", "--email", "SOMEBODY@example.com", "--json").data
    assert [person["externalId"] for person in listed] == ["7"]
    for who in ("7", listed[0]["id"]):
        shown = tidings("people", "show", who)
        assert "quiet hours  22:00 to 07:00" in shown.out
        assert "canary" not in shown.out
    assert tidings("people", "show", "nobody").code == 2
    assert tidings("people", "list", "--email", "none").err.startswith("tidings: --email: ")


def test_a_wrong_row_is_named_and_nobody_is_changed(tidings: Tidings, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("name,email\nSomebody,somebody@example.com\nOther,nowhere\n")
    refused = tidings("people", "import", str(file))
    assert refused.code == 2
    assert refused.out == "line 3: email: must be one e-mail address\n1 row is wrong; nobody was changed.\n"
    assert tidings("people", "import", str(file), "--json").data["errors"][0]["line"] == 3
    assert tidings("people", "list", "--json").data == []
    assert tidings("people", "import", str(tmp_path / "absent.csv")).code == 2
    assert "no tenant nowhere" in tidings("people", "import", str(file), "--tenant", "nowhere").err
