"""A real RabbitMQ for tests: a node of its own in a temporary directory, on free ports, with an epmd of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.postgres import in_memory

PROGRAMS = Path("/usr/lib/rabbitmq/bin")
MISSING = "RabbitMQ is missing; install it with: apt-get install rabbitmq-server"
USER, PASSWORD = "tidings", "a-password-of-tests"
_HOST = "127.0.0.1"
_LOOK = 0.05  # seconds
_VHOSTS = [f"test-{n}" for n in range(100)]
_ERLANG = "-start_epmd false +S 1:1 +SDio 1 +sbwt none +sbwtdcpu none +sbwtdio none"


def is_installed() -> bool:
    return (PROGRAMS / "rabbitmq-server").exists()


@dataclass
class RabbitMQ:
    """A node that can be stopped, killed and started again; what it was to keep, it keeps."""

    home: Path
    port: int = field(default_factory=lambda: _free_port())
    distribution: int = field(default_factory=lambda: _free_port())
    mapper: int = field(default_factory=lambda: _free_port())
    unused: Iterator[str] = field(default_factory=lambda: iter(_VHOSTS))
    process: subprocess.Popen[bytes] | None = None

    def new_url(self) -> str:
        """Of a vhost that nobody has used yet."""
        return self.url(next(self.unused))

    def url(self, vhost: str) -> str:
        return f"amqp://{USER}:{PASSWORD}@{_HOST}:{self.port}/{vhost.replace('/', '%2F')}"

    def start(self) -> None:
        """Until it takes connections."""
        (self.home / "rabbitmq.conf").write_text(
            f"listeners.tcp.1 = {_HOST}:{self.port}\nload_definitions = {self.home}/definitions.json\n"
            "loopback_users = none\nlog.console = true\nlog.file = false\n"
        )
        (self.home / "definitions.json").write_text(json.dumps(_definitions()))
        (self.home / "enabled_plugins").write_text("[].\n")
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [PROGRAMS / "rabbitmq-server"],
                env=self._environment,
                cwd=self.home,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        while not self._answers():
            if self.process.poll() is not None:
                raise RuntimeError((self.home / "log").read_text(encoding="utf-8", errors="replace")[-4000:])
            time.sleep(_LOOK)

    def kill(self) -> None:
        """At once, as a machine does that loses its power."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """In order, as an operator does: the Erlang machine writes down what it holds."""
        assert self.process is not None
        for child in _children_of(self.process.pid):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=15)
        self._signal(signal.SIGKILL)

    def command(self, *words: str) -> str:
        """`rabbitmqctl`: an Erlang machine of its own, and so takes seconds."""
        command = [str(PROGRAMS / "rabbitmqctl"), "--quiet", *words]
        done = subprocess.run(
            command, env=self._environment, cwd=self.home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        assert done.returncode == 0, done.stdout
        return done.stdout.decode()

    def begin_to_starve(self) -> AbstractContextManager[object]:
        """As if it had no memory left, until the context ends: it reads nothing more from whoever publishes."""
        self.command("set_vm_memory_high_watermark", "0.0000001")
        ending = ExitStack()
        ending.callback(self.command, "set_vm_memory_high_watermark", "0.4")
        return ending

    def _signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)
        self.process.wait()
        self.process = None

    def _answers(self) -> bool:
        """The greeting of a broker that is up is the first frame; before, it closes the connection."""
        try:
            with socket.create_connection((_HOST, self.port), timeout=2) as connection:
                connection.sendall(b"AMQP\x00\x00\x09\x01")
                return connection.recv(1) == b"\x01"
        except OSError:
            return False

    @property
    def _environment(self) -> Mapping[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "ERL_EPMD_ADDRESS": _HOST,
            "ERL_EPMD_PORT": str(self.mapper),
            "RABBITMQ_NODENAME": f"tidings{self.port}@localhost",
            "RABBITMQ_DIST_PORT": str(self.distribution),
            "RABBITMQ_MNESIA_BASE": str(self.home / "data"),
            "RABBITMQ_LOG_BASE": str(self.home),
            "RABBITMQ_CONFIG_FILE": str(self.home / "rabbitmq"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.home / "enabled_plugins"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": _ERLANG,
        }


@contextmanager
def rabbitmq() -> Iterator[RabbitMQ]:
    """Running; on leaving, nothing of it is left."""
    home = Path(tempfile.mkdtemp(prefix="tidings-rabbitmq-", dir=in_memory()))
    node = RabbitMQ(home)
    mapper = subprocess.Popen(  # ours, so that it ends with us: the one that Erlang starts by itself would stay
        ["epmd", "-address", _HOST, "-port", str(node.mapper)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        node.start()
        yield node
    finally:
        if node.process is not None:
            node.kill()
        mapper.kill()
        mapper.wait()
        shutil.rmtree(home, ignore_errors=True)


def _definitions() -> Mapping[str, Any]:
    """One who may do everything, and a vhost for each test."""
    everything = {"configure": ".*", "write": ".*", "read": ".*"}
    return {
        "users": [{"name": USER, "password": PASSWORD, "tags": "administrator"}],
        "vhosts": [{"name": name} for name in _VHOSTS],
        "permissions": [{"user": USER, "vhost": name} | everything for name in _VHOSTS],
    }


def _children_of(pid: int) -> list[int]:
    """Processes of that session which run the Erlang machine."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            name, _, rest = (entry / "stat").read_text().rpartition(")")
            if int(rest.split()[3]) == pid and "beam" in name:
                found.append(int(entry.name))
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
        return port
