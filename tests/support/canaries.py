"""Canaries: secrets that can be told apart, and a search for them in whatever they must not be in."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Iterator, Mapping
from urllib.parse import quote


def canary(name: str) -> str:
    return f"canary-{name.replace(' ', '-')}-{secrets.token_hex(10)}"


def written(secret: str) -> Iterator[str]:
    """The ways in which it could stand in a dump, a log or an answer."""
    raw = secret.encode()
    yield secret
    yield raw.hex()
    yield quote(secret, safe="")
    yield json.dumps(secret)[1:-1]
    for shift in range(3):  # within a longer text, base64 has three faces
        encoded = base64.b64encode(b"\0" * shift + raw)
        yield encoded[4 if shift else 0 : len(encoded) - 4].decode()


def found(canaries: Mapping[str, str], places: Mapping[str, str]) -> set[tuple[str, str]]:
    """Which canary is in which place."""
    lowered = {place: text.lower() for place, text in places.items()}
    return {
        (name, place)
        for name, secret in canaries.items()
        for way in written(secret)
        for place, text in places.items()
        if way in text or way.lower() in lowered[place]
    }
