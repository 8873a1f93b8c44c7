"""JSON from strangers: one meaning or none. What parsers disagree about is refused."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from tidings.kit.errors import Fault, ValidationFailed


class _Refused(ValueError):
    """A construct that JSON parsers disagree about."""


def parse_json(body: bytes) -> Any:
    """The value, or `ValidationFailed`: not UTF-8, not JSON, NaN, infinite, a key twice, or nested too deeply."""
    try:
        return _DECODER.decode(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise _invalid("is not UTF-8") from None
    except _Refused as error:
        raise _invalid(str(error)) from None
    except json.JSONDecodeError as error:
        raise _invalid(f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except ValueError:
        raise _invalid("holds a number with too many digits") from None
    except RecursionError:
        raise _invalid("is nested too deeply") from None


def canonical(value: Any) -> bytes:
    """The same bytes for the same value, whatever the order of its keys and the space between them."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _Refused("has a key twice in one object")
    return fields


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise _Refused("holds a number that does not fit a double")
    return number


def _constant(name: str) -> NoReturn:
    raise _Refused(f"holds {name}, which is not JSON")


def _invalid(message: str) -> ValidationFailed:
    return ValidationFailed(f"The body {message}.", (Fault("body", message),))


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_constant)
