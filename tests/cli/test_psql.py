"""`tidings psql` reaches the database, and shows its password to nobody."""

from __future__ import annotations

import os
import subprocess
import sys

from tidings.cli.psql import without_password


def test_what_follows_goes_to_psql(database_url: str) -> None:
    command = [sys.executable, "-m", "tidings", "psql", "-At", "-c", "SELECT id FROM tidings.tenants"]
    environment = {**os.environ, "TIDINGS_DATABASE_URL": database_url}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "default\n"


def test_a_password_is_not_an_argument() -> None:
    url = "postgresql://me:s%40cret@db.example.com:5433/app?sslmode=require"
    assert without_password(url) == ("postgresql://me@db.example.com:5433/app?sslmode=require", "s@cret")
    plain = "postgresql://postgres@127.0.0.1:1/app"
    assert without_password(plain) == (plain, None)
