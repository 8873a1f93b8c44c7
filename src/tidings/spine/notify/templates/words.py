"""The fixed words of our own templates, in the reader's language."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any

from tidings.spine.notify.templates.locales import choose

_FALLBACK = "en"
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

    def words(self, locale: str, values: Mapping[str, Any]) -> dict[str, str]:
        """The words, with sender and category filled in; nothing of the person, so that all can share them."""
        known = dict(self.languages[choose(self.languages, locale) or _FALLBACK])
        names = {"tenant": ("tenant", "name"), "category": ("notice", "category")}
        given = {place: _text(values, *path) for place, path in names.items()}
        why = known["why" if given["category"] else "why_plain"]
        return {key: _PLACE.sub(lambda found: given[found[1]], text) for key, text in (known | {"why": why}).items()}


def _text(values: Mapping[str, Any], group: str, name: str) -> str:
    found = values.get(group)
    value = found.get(name) if isinstance(found, Mapping) else None
    return value if isinstance(value, str) else ""
