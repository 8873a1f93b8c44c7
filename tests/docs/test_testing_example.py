"""The examples for users' own tests, run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTING = Path(__file__).parents[2] / "docs" / "reference" / "testing.md"
EXAMPLES: list[str] = re.findall(r"```python\n(.*?)```", TESTING.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=["handlers", "who is told"])
def test_the_example_of_a_users_own_test_passes(example: str, database_url: str, tmp_path: Path) -> None:
    (tmp_path / "test_shop.py").write_text(example, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_shop.py"]
    environment = {**os.environ, "TIDINGS_DATABASE_URL": database_url}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
