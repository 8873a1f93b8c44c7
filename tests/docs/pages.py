"""The blocks of a page of the documentation, to be done as they stand."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
TIDINGS = f"{sys.executable} -m tidings"


@dataclass(frozen=True)
class DocumentPage:
    """A page, or a part of it."""

    text: str

    @classmethod
    def read(cls, name: str) -> DocumentPage:
        return cls((ROOT / name).read_text(encoding="utf-8"))

    def blocks(self, language: str) -> list[str]:
        found: list[str] = re.findall(rf"^```{language}\n(.*?)^```", self.text, re.DOTALL | re.MULTILINE)
        return found

    def block(self, language: str, containing: str) -> str:
        return next(block for block in self.blocks(language) if containing in block)

    def until(self, heading: str) -> DocumentPage:
        return DocumentPage(self.text.partition(f"\n## {heading}")[0])

    def after(self, heading: str) -> DocumentPage:
        return DocumentPage(self.text.partition(f"\n## {heading}")[2])

    def script(self) -> str:
        """What is to be typed into a shell, with this Python's `tidings`."""
        typed = "\n".join(self.blocks("sh")).replace(".venv/bin/python", sys.executable)
        return re.sub(r"(?<![\w/])(\.venv/bin/)?tidings ", f"{TIDINGS} ", typed)
