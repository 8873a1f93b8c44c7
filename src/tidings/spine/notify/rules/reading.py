"""Conditions as they are written in JSON, and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, assert_never

from tidings.spine.notify.checking import Findings, below, encodable
from tidings.spine.notify.paths import path_fault
from tidings.spine.notify.rules.comparing import moment_of, number_of
from tidings.spine.notify.rules.terms import All, Any_, Condition, Equals, Exists, Greater, In, Less, NotEquals

DEEPEST = 10
MOST = 100
MOST_VALUES = 1_000
LONGEST_VALUE = 1_000
MOST_BITS = 1_100  # every double fits: PostgreSQL gives a large one back with all its digits


def parse(raw: Any, path: str = "conditions") -> Condition:
    """A condition, or `ValidationFailed` with everything that is wrong with it, by its path."""
    findings = Findings()
    condition = read_condition(raw, path, findings)
    findings.settle()
    assert condition is not None
    return condition


def read_condition(raw: Any, path: str, findings: Findings) -> Condition | None:
    """None only where something was found wrong."""
    return _Reader(findings).condition(raw, path, 1)


def condition_json(condition: Condition) -> dict[str, Any]:
    match condition:
        case All(of):
            return {"all": [condition_json(each) for each in of]}
        case Any_(of):
            return {"any": [condition_json(each) for each in of]}
        case Equals(name, value):
            return {"field": name, "equals": value}
        case NotEquals(name, value):
            return {"field": name, "notEquals": value}
        case In(name, values):
            return {"field": name, "in": list(values)}
        case Exists(name, wanted):
            return {"field": name, "exists": wanted}
        case Greater(name, than):
            return {"field": name, "greater": than}
        case Less(name, than):
            return {"field": name, "less": than}
        case _:
            assert_never(condition)


@dataclass
class _Reader:
    findings: Findings
    seen: int = field(default=0)

    def condition(self, raw: Any, path: str, depth: int) -> Condition | None:
        self.seen += 1
        if self.seen > MOST or depth > DEEPEST:
            return self._wrong(path, f"{MOST} conditions at most" if self.seen > MOST else f"{DEEPEST} levels at most")
        if not isinstance(raw, dict):
            return self._wrong(path, "must be a JSON object")
        for name, group in (("all", All), ("any", Any_)):
            if name in raw:
                self.findings.only(raw, (name,), path)
                return self._group(group, raw[name], below(path, name), depth)
        return self._comparison(raw, path)

    def _group(self, group: type[All] | type[Any_], raw: Any, path: str, depth: int) -> Condition | None:
        if not isinstance(raw, list) or not raw:
            return self._wrong(path, "must be a list of conditions, at least one")
        read = []
        for n, each in enumerate(raw):
            read.append(self.condition(each, below(path, n), depth + 1))
            if self.seen > MOST:
                break
        return group(tuple(each for each in read if each is not None))

    def _comparison(self, raw: dict[str, Any], path: str) -> Condition | None:
        self.findings.only(raw, ("field", *_COMPARISONS), path)
        given = [name for name in _COMPARISONS if name in raw]
        if len(given) != 1:
            return self._wrong(path, f"needs a field and one of {', '.join(_COMPARISONS)}; or all, or any")
        if fault := path_fault(raw.get("field")):
            self.findings.add(below(path, "field"), fault)
        name, build, check = given[0], *_COMPARISONS[given[0]]
        if fault := check(raw[name]):
            return self._wrong(below(path, name), fault)
        return build(str(raw.get("field")), raw[name])

    def _wrong(self, path: str, message: str) -> Condition | None:
        self.findings.add(path, message)
        return None


def _scalar_fault(value: Any) -> str | None:
    if value is not None and not isinstance(value, str | int | float):
        return "must be a text, a number, true, false or null"
    if isinstance(value, str) and (len(value) > LONGEST_VALUE or "\0" in value or not encodable(value)):
        return f"must be a text of at most {LONGEST_VALUE} whole characters"
    return "has too many digits" if isinstance(value, int) and value.bit_length() > MOST_BITS else None


def _list_fault(value: Any) -> str | None:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_VALUES:
        return f"must be a list of 1 to {MOST_VALUES} values"
    return next((f"each {fault}" for each in value if (fault := _scalar_fault(each))), None)


def _order_fault(value: Any) -> str | None:
    if fault := _scalar_fault(value):
        return fault
    known = number_of(value) is not None or moment_of(value) is not None
    return None if known else "must be a number, or a time such as 2026-11-16T09:00:00Z"


def _flag_fault(value: Any) -> str | None:
    return None if isinstance(value, bool) else "must be true or false"


_Comparison = tuple[Callable[[str, Any], Condition], Callable[[Any], str | None]]
_COMPARISONS: dict[str, _Comparison] = {
    "equals": (Equals, _scalar_fault),
    "notEquals": (NotEquals, _scalar_fault),
    "in": (lambda name, values: In(name, tuple(values)), _list_fault),
    "exists": (Exists, _flag_fault),
    "greater": (Greater, _order_fault),
    "less": (Less, _order_fault),
}
