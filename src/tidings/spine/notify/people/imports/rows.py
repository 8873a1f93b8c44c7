"""What the cells of a row say about a person."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tidings.kit.crypto import Vault
from tidings.kit.json_output import dump
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.addresses import Kind, NewAddress, new_address
from tidings.spine.notify.people.imports.records import Broken, Read, Record, Unreadable
from tidings.spine.notify.people.urls import Refusal

COLUMNS = (
    *("external_id", "name", "user_type", "email", "phone", "locale", "timezone", "quiet_from", "quiet_until"),
    *("push_token", "slack_webhook", "groups", "topics"),
)
KIND_OF = {"email": Kind.EMAIL, "phone": Kind.PHONE, "push_token": Kind.PUSH, "slack_webhook": Kind.SLACK}
_MOST_IN_A_CELL = 100
_FIELDS: Mapping[str, Callable[[str], Any]] = {
    "external_id": lambda text: fields.short(text, 255),
    "name": fields.person_name,
    "user_type": lambda text: fields.short(text, 100),
    "locale": fields.locale,
    "timezone": fields.timezone,
    "quiet_from": lambda text: fields.clock(text).isoformat(),
    "quiet_until": lambda text: fields.clock(text).isoformat(),
    "groups": lambda text: _several(text, lambda group: fields.short(group, 255)),
    "topics": lambda text: _several(text, fields.topic),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it is kept until all are there: a person as JSON with what is secret apart, or what is wrong."""

    line: int
    external_id: str | None = None
    person: str | None = None
    sealed: bytes | None = None
    error: str | None = None


@dataclass(frozen=True)
class Sheet:
    """Reads the rows under one header, for one tenant."""

    columns: Sequence[str]
    tenant: str
    vault: Vault
    refusal: Refusal

    def row(self, read: Read) -> Row:
        match read:
            case Broken(line, error):
                return Row(line, error=error)
            case Record(line, cells) if len(cells) != len(self.columns):
                return Row(line, error=f"has {len(cells)} cells, and the header has {len(self.columns)}")
            case Record(line, cells):
                return self._row(line, dict(zip(self.columns, map(str.strip, cells), strict=True)))

    def _row(self, line: int, cells: Mapping[str, str]) -> Row:
        given = {name: text for name, text in cells.items() if text}
        wrong, values, addresses = [], {}, []
        for name, text in given.items():
            try:
                if name in KIND_OF:
                    addresses.append(new_address(KIND_OF[name], text, self.refusal))
                else:
                    values[name] = _FIELDS[name](text)
            except ValueError as error:
                wrong.append(f"{name}: {error}")
        wrong += _missing(given)
        if wrong:
            return Row(line, error="; ".join(wrong))
        return self._kept(line, values, addresses)

    def _kept(self, line: int, values: Mapping[str, Any], addresses: Sequence[NewAddress]) -> Row:
        shown = [{"kind": a.kind, "value": a.value, "fingerprint": a.fingerprint} for a in addresses]
        secret = next((a.content for a in addresses if a.content is not None), None)
        return Row(
            line,
            values.get("external_id"),
            dump({**values, "addresses": shown}).decode(),
            None if secret is None else self.vault.seal(secret, self.tenant),
        )


def header_of(read: Read) -> list[str]:
    """The columns that a file has, or `Unreadable` with all that is wrong with them."""
    if isinstance(read, Broken):
        raise Unreadable(f"The header {read.error}.")
    columns = [cell.strip().lower() for cell in read.cells]
    if len(columns) == 1 and (";" in columns[0] or "\t" in columns[0]):
        raise Unreadable("The columns must be separated by commas.")
    wrong = [_unknown(name) for name in columns if name not in COLUMNS]
    wrong += [f"the column {name} comes twice" for name in sorted({n for n in columns if columns.count(n) > 1})]
    wrong += ["there is no column name"] if "name" not in columns else []
    wrong += ["quiet_from needs quiet_until"] if ("quiet_from" in columns) != ("quiet_until" in columns) else []
    if wrong:
        raise Unreadable(f"The header is wrong: {'; '.join(wrong)}.")
    return columns


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name[:100], COLUMNS, n=1)
    return f"there is no column {name[:100]!r}" + (f" (did you mean {near[0]}?)" if near else "")


def _missing(given: Mapping[str, str]) -> list[str]:
    wrong = [] if "name" in given else ["name: is missing"]
    if ("quiet_from" in given) != ("quiet_until" in given):
        wrong.append("quiet_from: needs quiet_until, and the other way round")
    return wrong


def _several(text: str, checked: Callable[[str], str]) -> list[str]:
    """What is separated by semicolons, each once."""
    several = list(dict.fromkeys(checked(part.strip()) for part in text.split(";") if part.strip()))
    if len(several) > _MOST_IN_A_CELL:
        raise ValueError(f"has more than {_MOST_IN_A_CELL} entries")
    return several
