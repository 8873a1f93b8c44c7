"""`tidings rules`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.conftest import Tidings

RULE: dict[str, Any] = {
    "name": "Paid orders",
    "factType": "order.paid",
    "conditions": {"field": "amount", "greater": 100},
    "audience": [{"by": "everyone"}],
    "title": "Order {{ data.id }} is paid",
    "body": "{{ data.amount }}",
    "channels": ["email"],
}


def test_a_rule_is_made_listed_switched_and_deleted(tidings: Tidings, tmp_path: Path) -> None:
    made = tidings("rules", "create", _file(tmp_path, RULE), "--json")
    assert (made.code, made.data["name"]) == (0, "Paid orders")
    rule = made.data["id"]
    assert tidings("rules", "show", rule, "--json").data == made.data
    assert "Order {{ data.id }} is paid" in tidings("rules", "show", rule).out
    assert tidings("rules", "disable", rule).out == f"{rule} is off.\n"
    assert [each["version"] for each in tidings("rules", "list", "--disabled", "--json").data] == [2]
    assert tidings("rules", "list", "--enabled").out == "No rules.\n"
    assert tidings("rules", "enable", rule).code == 0
    assert "Paid orders" in tidings("rules", "list", "--fact-type", "order.paid").out
    assert tidings("rules", "delete", rule).code == 0
    assert tidings("rules", "show", rule).code == 2


def test_what_is_wrong_with_a_file_is_one_line(tidings: Tidings, tmp_path: Path) -> None:
    wrong = tidings("rules", "create", _file(tmp_path, RULE | {"level": "loud", "title": "{{"}))
    assert (wrong.code, wrong.err.count("\n")) == (2, 1)
    assert "level:" in wrong.err
    assert "title:" in wrong.err
    absent = tidings("rules", "create", str(tmp_path / "absent.json"))
    assert (absent.code, "No such file" in absent.err) == (2, True)
    tidings("rules", "create", _file(tmp_path, RULE))
    assert tidings("rules", "create", _file(tmp_path, RULE)).code == 1


def test_a_rule_is_tried_on_the_past_by_its_id_or_from_a_file(tidings: Tidings, tmp_path: Path) -> None:
    for amount in (40, 140):
        tidings("emit", "order.paid", json.dumps({"id": 7, "amount": amount}))
    rule = tidings("rules", "create", _file(tmp_path, RULE)).out.strip()
    for given in (rule, _file(tmp_path, RULE)):
        tried = tidings("rules", "dry-run", given, "--json").data
        assert [(each["matched"], each["title"], each["reason"]) for each in tried["facts"]] == [
            (True, "Order 7 is paid", None),
            (False, None, "amount is 40, not greater than 100"),
        ]
    assert "1 of 2 would have been told." in tidings("rules", "dry-run", rule).out
    assert tidings("rules", "dry-run", rule, "--until", "2020-01-01T00:00:00Z").out == "No facts of that type.\n"


def _file(folder: Path, rule: dict[str, Any]) -> str:
    path = folder / "rule.json"
    path.write_text(json.dumps(rule))
    return str(path)
