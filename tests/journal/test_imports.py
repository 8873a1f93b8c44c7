"""Emitting costs its users next to nothing to import."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tidings

_EMITTING = """
import sys
before = set(sys.modules)  # what the machine loads into every process: import hooks, sitecustomize
import tidings
tidings.emit, tidings.aemit, tidings.emit_many, tidings.aemit_many, tidings.NewFact
tidings.schedule, tidings.amove, tidings.cancel, tidings.Intent, tidings.Again, tidings.ValidationFailed
tidings.NewFact("order.paid", {"n": 1}).row()
print(*{name.partition(".")[0] for name in set(sys.modules) - before} - sys.stdlib_module_names)
"""


def test_emitting_imports_nothing_but_the_standard_library_and_itself() -> None:
    ran = subprocess.run([sys.executable, "-c", _EMITTING], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["tidings"]


def test_every_public_name_is_there_and_listed() -> None:
    for name in tidings.__all__:
        assert getattr(tidings, name) is not None
    assert set(tidings.__all__) <= set(dir(tidings))


def test_a_name_that_is_not_there_raises_as_usual() -> None:
    with pytest.raises(AttributeError, match="no attribute 'emmit'"):
        tidings.emmit  # noqa: B018
