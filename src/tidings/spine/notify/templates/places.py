"""Where and in which language a reader is: dates, amounts and numbers as that person writes them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime, format_time
from babel.numbers import format_currency, format_decimal

from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.locales import chain

Moment: TypeAlias = datetime  # `Place` has a filter of that name

_LONGEST_PATTERN = 40
_LARGEST_EXPONENT = 30
_MOST_DECIMALS = 10


@dataclass(frozen=True)
class Place:
    """A language and a timezone. Names that nobody knows are no reason not to tell: then English, and UTC."""

    locale: str = "en"
    timezone: str = "UTC"

    @cached_property
    def language(self) -> Locale:
        for each in chain(self.locale):
            try:
                return Locale.parse(each, sep="-")
            except (ValueError, UnknownLocaleError, TypeError):
                continue
        return Locale("en")

    @cached_property
    def zone(self) -> tzinfo:
        try:
            return ZoneInfo(self.timezone)
        except (ValueError, OSError, LookupError, TypeError):
            return UTC

    def date(self, value: Any, format: str = "medium") -> str:
        """A day. One without a time of day is the same day everywhere."""
        moment = _moment(value)
        day = moment.astimezone(self.zone).date() if isinstance(moment, datetime) else moment
        return format_date(day, _pattern(format), locale=self.language)

    def time(self, value: Any, format: str = "short") -> str:
        return format_time(self._local(value), _pattern(format), tzinfo=self.zone, locale=self.language)

    def datetime(self, value: Any, format: str = "medium") -> str:
        return format_datetime(self._local(value), _pattern(format), tzinfo=self.zone, locale=self.language)

    def number(self, value: Any, decimals: int | None = None) -> str:
        amount = _amount(value)
        if decimals is None:
            return format_decimal(amount, locale=self.language)
        if not isinstance(decimals, int) or not 0 <= decimals <= _MOST_DECIMALS:
            raise TemplateError(f"number shows from 0 to {_MOST_DECIMALS} decimals")
        pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
        return format_decimal(amount, format=pattern, locale=self.language)

    def money(self, value: Any, currency: str) -> str:
        if not isinstance(currency, str) or len(currency) != 3 or not currency.isascii() or not currency.isalpha():
            raise TemplateError("money needs a currency of three letters, such as EUR")
        return format_currency(_amount(value), currency.upper(), locale=self.language)

    def _local(self, value: Any) -> Moment:
        moment = _moment(value)
        whole = moment if isinstance(moment, datetime) else datetime.combine(moment, time(), self.zone)
        return whole.astimezone(self.zone)


def _moment(value: Any) -> datetime | date:
    moment = _parsed(value) if isinstance(value, str) else value
    if isinstance(moment, datetime):
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    if isinstance(moment, date):
        return moment
    raise TemplateError("a date must be ISO 8601, such as 2026-03-29T09:30:00Z")


def _parsed(value: str) -> datetime | date | None:
    for kind in (date, datetime):
        try:
            return kind.fromisoformat(value)
        except ValueError:
            continue
    return None


def _pattern(format: Any) -> Any:
    if not isinstance(format, str) or not 0 < len(format) <= _LONGEST_PATTERN:
        raise TemplateError(
            f"a date format is short, medium, long, full, or a pattern of {_LONGEST_PATTERN} characters"
        )
    return format


def _amount(value: Any) -> Decimal:
    """A number that has an end. `1e999999999` is a short one to write, and a long one to print."""
    try:
        amount = Decimal(str(value)) if isinstance(value, int | float | str | Decimal) else None
    except InvalidOperation:
        amount = None
    if amount is None or isinstance(value, bool) or not amount.is_finite():
        raise TemplateError(f"{str(value)[:40]!r} is not a number")
    if abs(amount.adjusted()) > _LARGEST_EXPONENT or len(amount.as_tuple().digits) > 2 * _LARGEST_EXPONENT:
        raise TemplateError("the number has too many digits")
    return amount
