"""The words of a rule: a title and a body, rendered once for everybody."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import meta

from tidings.kit.errors import Fault
from tidings.spine.notify.templates.checking import Checker
from tidings.spine.notify.templates.language import FUNCTIONS
from tidings.spine.notify.templates.rendering import Renderer
from tidings.spine.notify.templates.sources import Source

NAMES = frozenset({"fact", "data", "tenant"})
"""What a title and a body may name. Not the person: a notice is said once; a template says it to each."""
_PARTS = {"subject": "title", "text": "body"}


def word_faults(renderer: Renderer, title: str, body: str) -> list[Fault]:
    """What is wrong with a title and a body, told when they are saved."""
    checked = Checker(renderer).faults(Source(subject=title, text=body), "push")
    found = [Fault(_PARTS.get(fault.field, fault.field), fault.message) for fault in checked]
    return found or [*_unknown(renderer, "title", title), *_unknown(renderer, "body", body)]


def _unknown(renderer: Renderer, part: str, text: str) -> Iterator[Fault]:
    names = meta.find_undeclared_variables(renderer.compiler("text").parse(text))
    for name in sorted(names - NAMES - FUNCTIONS):
        yield Fault(part, f"there is no {name!r} here: a rule knows {', '.join(sorted(NAMES))}")
