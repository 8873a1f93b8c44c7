"""What the database refused, as an error of our tree, whichever driver or framework wrapped it."""

from __future__ import annotations

from dataclasses import dataclass

from tidings.kit.errors import Fault, Forbidden, NotFound, TidingsError, TooLarge, ValidationFailed

UNSTORABLE = "must be JSON that PostgreSQL can store: no NaN, no infinity, no NUL character, no half surrogate pair"
UNSTORABLE_TEXT = "must be text that PostgreSQL can store: no NUL character, no half surrogate pair"
TOO_DEEP = "is nested too deep"
TOO_GREAT = "holds a number that does not fit a double"

_JSON_FAULTS = {"22P02": UNSTORABLE, "22P05": UNSTORABLE, "22003": TOO_GREAT, "54001": TOO_DEEP}
_NOT_TEXT = "22021"
_TOO_LARGE = "54000"


@dataclass(frozen=True)
class _Report:
    """What the server said, whatever the driver calls it."""

    sqlstate: str
    message: str
    field: str | None


def refusal_in(error: BaseException, document: str = "data") -> TidingsError | None:
    """Our error for what the server said of the input, or None where it speaks of something else.

    `document` names the field that carried JSON: the server does not say what it could not read.
    """
    report = _report_in(error)
    if report is None:
        return None
    if report.sqlstate.startswith("TD"):
        return _refused(report)
    if fault := _JSON_FAULTS.get(report.sqlstate):
        return invalid(document, fault)
    if report.sqlstate == _TOO_LARGE:
        return TooLarge(f"{document}: {report.message}")
    return ValidationFailed(UNSTORABLE_TEXT) if report.sqlstate == _NOT_TEXT else None


def invalid(field: str, message: str) -> ValidationFailed:
    """The error for one field."""
    return ValidationFailed(f"{field}: {message}", (Fault(field, message),))


def _refused(report: _Report) -> TidingsError:
    match report.sqlstate:
        case "TD403":
            return Forbidden(report.message)
        case "TD404":
            return NotFound(report.message)
        case "TD413":
            return TooLarge(report.message)
        case _:
            field = report.field or ""
            return invalid(field, report.message.removeprefix(f"{field}: "))


def _report_in(error: BaseException) -> _Report | None:
    """From the error itself, or from what a driver, SQLAlchemy or Django wrapped in it."""
    inner: BaseException | None = error
    while inner is not None:
        if report := _report(inner):
            return report
        inner = getattr(inner, "orig", None) or inner.__cause__
    return None


def _report(error: BaseException) -> _Report | None:
    if isinstance(error, UnicodeEncodeError):
        return _Report(_NOT_TEXT, str(error), None)
    diagnosis = getattr(error, "diag", None)
    if sqlstate := getattr(diagnosis, "sqlstate", None):
        return _Report(sqlstate, getattr(diagnosis, "message_primary", ""), getattr(diagnosis, "column_name", None))
    sqlstate, message = getattr(error, "sqlstate", None), getattr(error, "message", None)
    if isinstance(sqlstate, str) and isinstance(message, str):
        return _Report(sqlstate, message, getattr(error, "column_name", None))
    return None
