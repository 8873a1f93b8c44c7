"""Where Temporal comes from."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

from tidings.embedded.temporal import find_temporal


def test_one_on_path_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "temporal"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_temporal() == str(own)


def test_without_one_it_is_the_wheel_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.defpath)
    assert Path(find_temporal()).parent == Path(sysconfig.get_path("scripts"))
