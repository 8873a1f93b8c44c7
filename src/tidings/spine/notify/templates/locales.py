"""Which of several languages a reader gets."""

from __future__ import annotations

from collections.abc import Collection

ANY = ""  # the variant for every language


def chain(locale: str) -> list[str]:
    """From the reader's own variant to the one for everybody: `it-IT`, `it`, then the empty one."""
    parts = [part for part in locale.replace("_", "-").split("-") if part]
    return ["-".join(parts[:length]) for length in range(len(parts), 0, -1)] + [ANY]


def choose(available: Collection[str], locale: str) -> str | None:
    """The nearest of the variants there are, as it is spelt there; none where not even the one for everybody is."""
    spelt = {"-".join(part for part in each.replace("_", "-").split("-") if part).lower(): each for each in available}
    return next((spelt[each.lower()] for each in chain(locale) if each.lower() in spelt), None)
