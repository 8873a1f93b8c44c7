"""A stack with small stand-ins for the API and the worker: `python standin.py DATA_DIR [API_PORT]`."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tidings.embedded import StackInfo, run_stack
from tidings.kit.errors import TidingsError, Unavailable
from tidings.kit.settings import load_settings


class _Ready(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/readyz" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return


def api() -> None:
    """Answers /readyz."""
    address = os.environ["TIDINGS_API_HOST"], int(os.environ["TIDINGS_API_PORT"])
    ThreadingHTTPServer(address, _Ready).serve_forever()


def worker() -> None:
    """Starts a child in its group and one in a session of its own, and sleeps."""
    sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
    subprocess.Popen(sleep)
    subprocess.Popen(sleep, start_new_session=True)
    time.sleep(600)


async def _migrate(url: str) -> None:
    if "TIDINGS_TEST_FAIL" in os.environ:
        raise Unavailable("the migration failed")


async def _ready(info: StackInfo) -> None:
    print(f"READY {info.api_url}", flush=True)


def up(data_dir: Path, port: int) -> int:
    settings = load_settings({"data_dir": data_dir, "api": {"port": port}})
    try:
        asyncio.run(
            run_stack(
                settings,
                announce=lambda line: print(line, flush=True),
                api_command=(sys.executable, __file__, "api"),
                worker_command=(sys.executable, __file__, "worker"),
                migrate=_migrate,
                on_ready=_ready,
            )
        )
    except TidingsError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["api"]:
            api()
        case ["worker"]:
            worker()
        case [directory, port]:
            sys.exit(up(Path(directory), int(port)))
