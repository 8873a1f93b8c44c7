"""The fixed words of our own templates, in the reader's language."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from tidings.spine.notify.templates.locales import choose

_FALLBACK = "en"
_CHOSEN_BY_NOBODY = "general"
_KEPT = 1024
_PLACE = re.compile(r"\{(tenant|category)\}")


@dataclass(frozen=True)
class Catalogue:
    """Read once from the package. A language that is missing is English."""

    @cached_property
    def languages(self) -> Mapping[str, Mapping[str, str]]:
        folder = files(__package__) / "defaults" / "words"
        return {
            each.name.removesuffix(".json"): json.loads(each.read_text("utf-8"))
            for each in folder.iterdir()
            if each.name.endswith(".json")
        }

    def words(self, locale: str, values: Mapping[str, Any]) -> Mapping[str, str]:
        """The words, with sender and category filled in; nothing of the person, so that all can share them."""
        return self._filled(locale, _text(values, "tenant", "name"), _category(values))

    @cached_property
    def _filled(self) -> Callable[[str, str, str], Mapping[str, str]]:
        return lru_cache(_KEPT)(self._fill)

    def _fill(self, locale: str, tenant: str, category: str) -> Mapping[str, str]:
        known = self.languages[choose(self.languages, locale) or _FALLBACK]
        given = {"tenant": tenant, "category": category}
        why = known["why" if category else "why_plain"]
        words = {**known, "why": why}.items()
        return MappingProxyType({key: _PLACE.sub(lambda found: given[found[1]], text) for key, text in words})


def _category(values: Mapping[str, Any]) -> str:
    """What it is called; nothing where nobody has chosen one, since the name of ours says nothing to a reader."""
    name, word = _text(values, "notice", "categoryName"), _text(values, "notice", "category")
    return name or ("" if word == _CHOSEN_BY_NOBODY else word)


def _text(values: Mapping[str, Any], group: str, name: str) -> str:
    found = values.get(group)
    value = found.get(name) if isinstance(found, Mapping) else None
    return value if isinstance(value, str) else ""
