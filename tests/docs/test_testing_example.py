"""The example for users' own tests, run as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

OUTBOX = Path(__file__).parents[2] / "docs" / "reference" / "outbox.md"


def test_the_example_of_a_users_own_test_passes(database_url: str, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", OUTBOX.read_text(encoding="utf-8"), re.DOTALL)
    example = next(block for block in blocks if "drain_outbox" in block)
    (tmp_path / "test_shop.py").write_text(example, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_shop.py"]
    environment = {**os.environ, "TIDINGS_DATABASE_URL": database_url}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
