"""`tidings providers types`: what kinds of providers there are, and what each has to be told."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from tidings.cli.context import JsonOption, show, table
from tidings.cli.providers import providers
from tidings.kit.errors import ValidationFailed

_HEADS = ("TYPE", "CHANNELS", "FIELD", "DEFAULT", "MEANING")


def register(app: typer.Typer) -> None:
    del app  # it is a command of `tidings providers`
    providers.command("types")(list_types)


def list_types(
    type: Annotated[str | None, typer.Argument(help="only this type, such as smtp", metavar="[TYPE]")] = None,
    as_json: JsonOption = False,
) -> None:
    """The types of providers that there are, and the fields of the configuration of each."""
    from tidings.api.provider_types import shown_types  # other commands do not pay for every provider there is

    known = shown_types()
    found = [each for each in known if type in {None, each["type"]}]
    if not found:
        raise ValidationFailed(f"TYPE: must be one of {', '.join(each['type'] for each in known)}")
    show(found, as_json, table(_HEADS, [row for each in found for row in _rows(each)]))


def fields_of(config: Mapping[str, Any]) -> Sequence[tuple[str, str, str]]:
    """Each field of a configuration, by its JSON schema: its name, its default and its meaning."""
    required = config.get("required", [])
    return [(name, _default(of, name in required), _meaning(of)) for name, of in config["properties"].items()]


def _rows(type: Mapping[str, Any]) -> list[tuple[str, ...]]:
    fields = fields_of(type["config"]) or [("", "", "nothing to set")]
    firsts = [(type["type"], ", ".join(type["channels"])), *[("", "")] * (len(fields) - 1)]
    return [(*first, *field) for first, field in zip(firsts, fields, strict=True)]


def _default(field: Mapping[str, Any], required: bool) -> str:
    if required:
        return "required"
    default = field.get("default")
    return "" if default is None else default if isinstance(default, str) else json.dumps(default)


def _meaning(field: Mapping[str, Any]) -> str:
    secret = "secret" if "writeOnly" in json.dumps(field) else ""
    return "; ".join(part for part in (secret, field.get("description", "")) if part)
