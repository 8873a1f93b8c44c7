from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.places import Place

ROME = Place("it-IT", "Europe/Rome")


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (ROME.datetime("2026-03-28T23:30:00Z"), "29 mar 2026, 00:30:00"),
        (ROME.date("2026-03-28T23:30:00Z"), "29 mar 2026"),
        (ROME.date("2026-03-28"), "28 mar 2026"),
        (Place("en", "America/New_York").date("2026-03-28"), "Mar 28, 2026"),
        (ROME.date(date(2026, 3, 28), "full"), "sabato 28 marzo 2026"),
        (ROME.time("2026-03-29T01:30:00Z"), "03:30"),
        (ROME.time(datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "HH.mm"), "03.30"),
        (Place("de", "UTC").datetime("2026-03-28T23:30:00", "short"), "28.03.26, 23:30"),
        (ROME.number(1234567.5), "1.234.567,5"),
        (ROME.number("1234.5", 2), "1.234,50"),
        (Place("de").number(3, 0), "3"),
        (ROME.money(1250.5, "EUR"), "1.250,50\xa0€"),
        (Place("en-US").money("-3", "usd"), "-$3.00"),
    ],
)
def test_a_reader_sees_times_and_amounts_as_at_home(shown: str, expected: str) -> None:
    assert shown == expected


@pytest.mark.parametrize(
    "value", ["", "tomorrow", "29.03.2026", 1774771200, None, True, [], {}, "2026-13-01", "0001-01-01T00:00+14:00"]
)
def test_what_is_no_date_is_an_error(value: Any) -> None:
    with pytest.raises((TemplateError, OverflowError)):
        ROME.datetime(value)


@pytest.mark.parametrize(
    "value", ["", "many", None, True, "NaN", "inf", "1e999999999", "-1e-999999", "9" * 100, [], {}]
)
def test_what_is_no_number_is_an_error(value: Any) -> None:
    with pytest.raises(TemplateError):
        ROME.number(value)


@pytest.mark.parametrize("currency", ["", "EURO", "E1R", "€€€", None])
def test_what_is_no_currency_is_an_error(currency: Any) -> None:
    with pytest.raises(TemplateError, match="three letters"):
        ROME.money(1, currency)
