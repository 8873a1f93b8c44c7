"""The templates that come with Tidings, for tenants that have none of their own."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from tidings.spine.notify.templates.channels import shape_of
from tidings.spine.notify.templates.sources import Source

_SUFFIXES = {"subject": "txt", "markup": "mjml", "text": "txt"}


@cache
def names() -> tuple[str, ...]:
    """The names of the templates there are; each has a variant for every channel."""
    found = (files(__package__) / "defaults").iterdir()
    return tuple(sorted(each.name for each in found if each.name != "words"))


@cache
def standard(channel: str, name: str = "notice") -> Source:
    """The template of that name, or the one for notices where there is none of that name."""
    shape_of(channel)
    chosen = name if name in names() else "notice"
    return Source(**{part: _read(chosen, f"{channel}.{part}.{suffix}") for part, suffix in _SUFFIXES.items()})


def _read(name: str, file: str) -> str | None:
    found = files(__package__) / "defaults" / name / file
    return found.read_text("utf-8").removesuffix("\n") if found.is_file() else None
