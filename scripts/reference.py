"""Writes the generated pages of docs/reference from their definitions; with --check, says whether they are true."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from tidings.api.provider_types import shown_types
from tidings.cli.main import app
from tidings.cli.provider_types import fields_of
from tidings.kit.settings import describe_settings

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"


def settings_page() -> str:
    return f"""# Settings

Settings are read from the environment. Durations are written with their unit, as `500ms`, `30s`, `5m`, `2h` or
`7d`; lists with commas; empty is the default.
`tidings doctor` says which of them are wrong, `tidings doctor --settings` prints this table.

{describe_settings()}"""


def cli_page() -> str:
    sections = "\n".join(_sections(typer.main.get_command(app), "tidings"))
    return f"""# Command line

Exit codes: 0, 1 for what failed, 2 for wrong use. Errors are one line on standard error. Commands find the database by
`TIDINGS_DATABASE_URL`, or that of the stack that `tidings up` runs here. `--json` prints the documents of the HTTP API
where it has them, without their envelope; `tidings emit --json` the id alone.

{sections}"""


def providers_page() -> str:
    sections = "\n".join(_provider(each) for each in shown_types())
    return f"""# Types of providers

What each has to be told, as `config`. `tidings providers types` prints the same, `GET /v1/provider-types` has it as a
JSON schema. [Setting up providers](../how-to/providers.md) has examples. Secrets are kept sealed and never shown again.

{sections}"""


def _provider(kind: Mapping[str, Any]) -> str:
    rows = [f"| `{name}` | {_code(default)} | {meaning} |" for name, default, meaning in fields_of(kind["config"])]
    fields = ["| field | default | meaning |", "|---|---|---|", *rows] if rows else ["Nothing to set."]
    channels = "every channel but websocket" if len(kind["channels"]) > 2 else ", ".join(kind["channels"])
    unknown = f"`onUnknown` is `{kind['onUnknown']}`"
    return "\n".join([f"## {kind['type']}", "", f"For {channels}. {unknown}.", "", *fields, ""])


def _code(default: str) -> str:
    return default if default in ("", "required") else f"`{default}`"


def _sections(command: Any, path: str) -> Iterator[str]:
    for name, child in getattr(command, "commands", {}).items():
        if hasattr(child, "commands"):
            yield from _sections(child, f"{path} {name}")
        else:
            yield f"## {path} {name}\n\n{child.help}\n\n{_parameters(child)}"


def _parameters(command: Any) -> str:
    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    rows = [_row(parameter) for parameter in shown if parameter.name != "help"]
    return "\n".join(["| parameter | default | meaning |", "|---|---|---|", *rows]) + "\n" if rows else ""


def _row(parameter: Any) -> str:
    is_option = parameter.param_type_name == "option"
    name = parameter.opts[0] if is_option else (parameter.metavar or parameter.name).upper()
    default = (
        "required" if parameter.required else "" if parameter.default in (None, False) else f"`{parameter.default}`"
    )
    return f"| `{name}` | {default} | {parameter.help or ''} |"


def main() -> int:
    pages = {
        REFERENCE / "settings.md": settings_page(),
        REFERENCE / "cli.md": cli_page(),
        REFERENCE / "provider-types.md": providers_page(),
    }
    stale = [file for file, text in pages.items() if not file.exists() or file.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for file in stale:
            print(f"{file.name} is stale: run scripts/reference.py")
        return 1 if stale else 0
    for file in stale:
        file.write_text(pages[file], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
