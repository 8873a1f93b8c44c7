"""Who is to be told: selectors, as a rule or a listener names them. Which people they are is found by `reaching`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from uuid import UUID

from tidings.spine.notify.checking import Findings, below
from tidings.spine.notify.paths import found, path_fault

MOST_SELECTORS = 20
MOST_VALUES = 1_000
LONGEST_VALUE = 320  # as long as a mail address can be
LONGEST_USER_TYPE = 100
_EXACT_FLOATS = 2.0**53


class By(StrEnum):
    """What people are chosen by."""

    PERSON = "person"
    EXTERNAL_ID = "externalId"
    EMAIL = "email"
    USER_TYPE = "userType"
    GROUP = "group"  # by the external id of the group
    TOPIC = "topic"  # those who subscribed to it
    EVERYONE = "everyone"


@dataclass(frozen=True, slots=True)
class Selector:
    """Some people: those that any of the values stands for, of that user type where one is named.

    `field` is a path into the fact's data; what is found there (one value, or a list of them) takes the place of
    `values`. A selector without either stands for nobody, but for `everyone`.
    """

    by: By
    values: tuple[str, ...] = ()
    field: str | None = None
    user_type: str | None = None


def parse_selectors(raw: Any, path: str = "audience") -> tuple[Selector, ...]:
    """Selectors as they were written in JSON, or `ValidationFailed` with everything that is wrong with them."""
    findings = Findings()
    selectors = read_selectors(raw, path, findings)
    findings.settle()
    return selectors


def read_selectors(raw: Any, path: str, findings: Findings) -> tuple[Selector, ...]:
    if not isinstance(raw, list) or not 1 <= len(raw) <= MOST_SELECTORS:
        findings.add(path, f"must be a list of 1 to {MOST_SELECTORS} selectors")
        return ()
    read = [_selector(each, below(path, n), findings) for n, each in enumerate(raw)]
    if sum(len(selector.values) for selector in read if selector) > MOST_VALUES:
        findings.add(path, f"must have {MOST_VALUES} values or fewer, all in all; make a group for more")
    return tuple(selector for selector in read if selector is not None)


def resolved(selectors: Iterable[Selector], data: Any) -> tuple[Selector, ...]:
    """The selectors with values in place of fields. A field that is missing, or holds no text or number: nobody."""
    return tuple(each if each.field is None else _with_values(each, data) for each in selectors)


def as_json(selectors: Iterable[Selector]) -> list[dict[str, Any]]:
    """What `parse_selectors` reads. A selector whose field was resolved to nothing has empty `values`."""
    return [_as_json(selector) for selector in selectors]


def _selector(raw: Any, path: str, findings: Findings) -> Selector | None:
    if not isinstance(raw, dict):
        findings.add(path, "must be a JSON object")
        return None
    findings.only(raw, ("by", "values", "field", "userType"), path)
    user_type = raw.get("userType")
    if user_type is not None:
        user_type = findings.line(user_type, below(path, "userType"), LONGEST_USER_TYPE)
    if raw.get("by") not in list(By):
        findings.add(below(path, "by"), f"must be one of {', '.join(By)}")
        return None
    by = By(raw["by"])
    if by is By.EVERYONE:
        if raw.get("values") or raw.get("field") is not None:
            findings.add(path, "everyone takes neither values nor a field")
        return Selector(by, user_type=user_type)
    return _of_some(by, raw, user_type, path, findings)


def _of_some(by: By, raw: dict[str, Any], user_type: str | None, path: str, findings: Findings) -> Selector:
    field, values = raw.get("field"), raw.get("values")
    if (field is None) == (values is None):
        findings.add(path, "needs either values or a field")
        return Selector(by)
    if field is not None:
        if fault := path_fault(field):
            findings.add(below(path, "field"), fault)
        return Selector(by, field=str(field), user_type=user_type)
    return Selector(by, _values(by, values, below(path, "values"), findings), user_type=user_type)


def _values(by: By, raw: Any, path: str, findings: Findings) -> tuple[str, ...]:
    if not isinstance(raw, list) or not 1 <= len(raw) <= MOST_VALUES:
        findings.add(path, f"must be a list of 1 to {MOST_VALUES} texts")
        return ()
    for n, value in enumerate(raw):
        if findings.line(value, below(path, n), LONGEST_VALUE) and by is By.PERSON and _person_id(value) is None:
            findings.add(below(path, n), "must be the id of a person")
    return _distinct(by, (value for value in raw if isinstance(value, str)))


def _with_values(selector: Selector, data: Any) -> Selector:
    assert selector.field is not None
    value = found(data, selector.field)
    values = value if isinstance(value, list) else [value]
    texts = (text for text in map(_as_text, values) if text is not None)
    return replace(selector, values=_distinct(selector.by, texts), field=None)


def _distinct(by: By, texts: Iterable[str]) -> tuple[str, ...]:
    """Each once. What cannot be the id of a person stands for nobody."""
    return tuple(dict.fromkeys(_person_ids(texts) if by is By.PERSON else texts))


def _person_ids(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        if (person := _person_id(text)) is not None:
            yield person


def _person_id(text: str) -> str | None:
    try:
        return str(UUID(text))
    except ValueError:
        return None


def _as_text(value: Any) -> str | None:
    """A text as it is, a number by its digits: 7 and 7.0 are the same one."""
    match value:
        case str():
            return value or None
        case bool():
            return None
        case int():
            return str(value) if value.bit_length() < 1_000 else None
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < _EXACT_FLOATS else repr(value)
    return None


def _as_json(selector: Selector) -> dict[str, Any]:
    shown: dict[str, Any] = {"by": selector.by.value}
    if selector.field is not None:
        shown["field"] = selector.field
    elif selector.by is not By.EVERYONE:
        shown["values"] = list(selector.values)
    if selector.user_type is not None:
        shown["userType"] = selector.user_type
    return shown
