"""The built UI, read once: what is not in it cannot be asked for, whatever a path says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

BUILT = files("tidings.api").joinpath("ui")
NONCE = "%NONCE%"
_TYPES = {
    "css": "text/css; charset=utf-8",
    "ico": "image/x-icon",
    "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
    "webp": "image/webp",
    "woff2": "font/woff2",
}
_ENCODINGS = {"br": "br", "gz": "gzip"}
_HIDDEN = {"index.html"}


@dataclass(frozen=True, repr=False)
class Asset:
    """A file: its type, and its bytes as they are and, under the name of each encoding, compressed."""

    media_type: str
    bodies: Mapping[str, bytes]

    def body_for(self, accepted: str) -> tuple[str, bytes]:
        """The smallest that the client takes, and the name of its encoding."""
        taken = {"identity", *_taken(accepted)}
        return min(((name, body) for name, body in self.bodies.items() if name in taken), key=lambda one: len(one[1]))


@dataclass(frozen=True, repr=False)
class Bundle:
    """The page that every route of the UI begins with, and the files that it loads, by their paths."""

    index: str
    assets: Mapping[str, Asset]


def read_bundle(root: Traversable) -> Bundle | None:
    """The UI as it was built into the package; None where it was not."""
    index = root.joinpath("index.html")
    if not index.is_file():
        return None
    found = dict(_walked(root, "/"))
    assets = {path: _asset(found, path) for path in found if _ending(path) in _TYPES}
    return Bundle(index.read_text(encoding="utf-8"), assets)


def _walked(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    walked: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            walked += _walked(entry, f"{path}{entry.name}/")
        elif entry.name not in _HIDDEN:
            walked.append((path + entry.name, entry.read_bytes()))
    return walked


def _asset(found: Mapping[str, bytes], path: str) -> Asset:
    compressed = {name: found[f"{path}.{ending}"] for ending, name in _ENCODINGS.items() if f"{path}.{ending}" in found}
    return Asset(_TYPES[_ending(path)], {"identity": found[path], **compressed})


def _ending(path: str) -> str:
    return path.rpartition(".")[2]


def _taken(accepted: str) -> set[str]:
    """The encodings that an Accept-Encoding names and does not refuse."""
    offers = (offer.strip().lower().partition(";") for offer in accepted.split(","))
    return {name.strip() for name, _, quality in offers if quality.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00"}}
