"""What was built: how much a first visit loads, and that nothing of the machine that built it is in there."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "src/tidings/api/ui"
LARGEST_FIRST_LOAD = 300_000  # bytes
SECRETS = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY",
    r"\btdk_[\w-]{20,}",
    r"\bwhsec_[\w+/]{20,}",
    r"\beyJ[\w-]{20,}\.[\w-]{20,}",
    r"\bTIDINGS_[A-Z_]+=\S",
    r"postgres(ql)?://\w+:\w+@",
)
OF_A_MACHINE = (
    r"file://",
    r"(?<![\w.])/(home|root|tmp|Users|work)/\w",
    r"https?://[^\s\"]*registry",
    r"sourceMappingURL",
)


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    if not (BUILT / "index.html").exists():
        missing = "The UI is not built; build it with: make ui"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    told: dict[str, Any] = json.loads((BUILT / ".vite/manifest.json").read_text())
    return told


def needed(manifest: dict[str, Any], name: str, seen: set[str]) -> Iterator[str]:
    """The files that a browser loads for a chunk before it runs."""
    if name in seen:
        return
    seen.add(name)
    chunk = manifest[name]
    yield chunk["file"]
    yield from chunk.get("css", ())
    for other in chunk.get("imports", ()):
        yield from needed(manifest, other, seen)


def packed(file: str) -> int:
    compressed = BUILT / f"{file}.br"
    return (compressed if compressed.exists() else BUILT / file).stat().st_size


def test_the_first_load_is_small(manifest: dict[str, Any]) -> None:
    files = {"index.html", *needed(manifest, "index.html", set())}
    weights = {file: packed(file) for file in files}
    assert sum(weights.values()) < LARGEST_FIRST_LOAD, weights


def test_pages_are_loaded_when_they_are_visited(manifest: dict[str, Any]) -> None:
    first = set(needed(manifest, "index.html", set()))
    pages = [chunk["file"] for chunk in manifest.values() if chunk.get("isDynamicEntry")]
    assert pages
    assert not first.intersection(pages)


def test_scripts_and_styles_are_there_in_every_form(manifest: dict[str, Any]) -> None:
    for file in (*BUILT.glob("assets/*.js"), *BUILT.glob("assets/*.css")):
        if file.stat().st_size < 1024:
            continue
        assert gzip.decompress(file.with_name(f"{file.name}.gz").read_bytes()) == file.read_bytes()
        assert file.with_name(f"{file.name}.br").stat().st_size < file.stat().st_size


def test_nothing_secret_and_nothing_of_the_building_machine_is_in_it(manifest: dict[str, Any]) -> None:
    texts = [file for file in BUILT.rglob("*") if file.suffix in {".js", ".css", ".html", ".json", ".svg"}]
    assert texts
    for file in texts:
        text = file.read_text(encoding="utf-8")
        assert str(ROOT) not in text, file
        for pattern in (*SECRETS, *OF_A_MACHINE):
            assert not (found := re.search(pattern, text)), (file.name, found)


def test_the_page_runs_nothing_that_the_policy_would_refuse(manifest: dict[str, Any]) -> None:
    page = (BUILT / "index.html").read_text()
    assert page.count("%NONCE%") == 1
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", page)
    for address in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert (BUILT / address.removeprefix("/")).is_file(), address
