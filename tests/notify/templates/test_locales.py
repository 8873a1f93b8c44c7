from __future__ import annotations

import pytest

from tidings.spine.notify.templates.locales import chain, choose


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("it-IT", ["it-IT", "it", ""]),
        ("it", ["it", ""]),
        ("", [""]),
        ("zh_Hant_TW", ["zh-Hant-TW", "zh-Hant", "zh", ""]),
        ("--", [""]),
    ],
)
def test_a_locale_falls_back_from_its_own_to_everybodys(locale: str, expected: list[str]) -> None:
    assert chain(locale) == expected


@pytest.mark.parametrize(
    ("available", "locale", "chosen"),
    [
        (["", "it", "de"], "it-IT", "it"),
        (["", "it", "it-IT"], "it-IT", "it-IT"),
        (["", "it"], "fr", ""),
        (["it"], "fr", None),
        (["it_IT"], "IT-it", "it_IT"),
        ([], "it", None),
    ],
)
def test_the_nearest_variant_is_chosen_as_it_is_spelt(available: list[str], locale: str, chosen: str | None) -> None:
    assert choose(available, locale) == chosen
