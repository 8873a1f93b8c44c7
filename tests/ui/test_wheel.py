"""The package as users install it: the UI is in it, and is served, where there is neither Node nor our checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from tests.api.world import MASTER_KEY
from tidings.embedded.ports import free_port

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "src/tidings/api/ui/index.html").exists():
        missing = "The UI is not built; build it with: make ui"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    made = tmp_path_factory.mktemp("dist")
    build = subprocess.run(_build("wheel", made), cwd=ROOT, capture_output=True, text=True, check=False)
    assert build.returncode == 0, build.stderr
    return next(made.glob("*.whl"))


def _build(target: str, into: Path) -> list[str]:
    return [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]


def test_the_wheel_holds_the_ui_as_it_was_built(wheel: Path) -> None:
    built = ROOT / "src/tidings/api/ui"
    wanted = {f"tidings/api/ui/{file.relative_to(built)}" for file in built.rglob("*") if file.is_file()}
    with ZipFile(wheel) as package:
        assert wanted <= set(package.namelist())
        assert not [name for name in package.namelist() if "node_modules" in name]


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_without_the_ui_nothing_is_built(target: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    (bare / "src/tidings").mkdir(parents=True)
    (bare / "scripts").mkdir()
    for file in ("pyproject.toml", "README.md", "scripts/hatch_build.py", "src/tidings/__init__.py"):
        shutil.copy(ROOT / file, bare / file)
    build = subprocess.run(_build(target, tmp_path), cwd=bare, capture_output=True, text=True, check=False)
    assert build.returncode != 0
    assert "run `make ui`" in build.stdout + build.stderr
    assert not list(tmp_path.glob("*.whl"))


def test_an_empty_environment_with_the_wheel_serves_the_ui(wheel: Path, database_url: str, tmp_path: Path) -> None:
    tidings = _installed(wheel, tmp_path / "env")
    with _serving(tidings, database_url, tmp_path) as url:
        page = _read(f"{url}/")
        (script,) = re.findall(r'<script type="module"[^>]* src="([^"]+)"', page)
        with urlopen(f"{url}{script}") as reply:
            assert reply.headers["Content-Type"].startswith("text/javascript")
            assert len(reply.read()) > 1000
        assert _read(f"{url}/sign-in?token=x").startswith(page[:100])


def _installed(wheel: Path, folder: Path) -> Path:
    uv, python = ROOT / "scripts/uv", folder / "bin/python"
    for command in (
        ("venv", "--quiet", "--python", sys.executable, folder),
        ("pip", "install", "--quiet", "--python", python, "--constraint", ROOT / "requirements-dev.lock", wheel),
    ):
        run = subprocess.run([uv, *command], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
    return folder / "bin/tidings"


@contextmanager
def _serving(tidings: Path, database_url: str, folder: Path) -> Iterator[str]:
    port = free_port()
    environment = {
        "PATH": os.defpath,
        "HOME": str(folder),
        "TIDINGS_DATABASE_URL": database_url,
        "TIDINGS_MASTER_KEY": MASTER_KEY,
        "TIDINGS_API_PORT": str(port),
    }
    process = subprocess.Popen([tidings, "api"], env=environment, cwd=folder)
    try:
        yield _answering(process, f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait()


def _answering(process: subprocess.Popen[bytes], url: str) -> str:
    while process.poll() is None:
        try:
            _read(f"{url}/healthz")
        except URLError:
            time.sleep(0.1)
        else:
            return url
    raise AssertionError(f"tidings api ended with {process.returncode}")


def _read(url: str) -> str:
    with urlopen(url) as reply:
        text: str = reply.read().decode()
        return text
