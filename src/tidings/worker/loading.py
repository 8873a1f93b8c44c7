"""Loads users' handlers: from modules by name, from files by path, and from installed packages' entry points."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from tidings.kit.errors import Misconfigured
from tidings.spine.outbox.handlers import Handlers, declared_in

ENTRY_POINTS = "tidings.handlers"


def load_handlers(names: Iterable[str]) -> Handlers:
    """Every handler declared in these modules or files, and in the entry points of installed packages."""
    modules = [_load(name) for name in names]
    modules += [entry.load() for entry in importlib.metadata.entry_points(group=ENTRY_POINTS)]
    return Handlers().including(declared_in(value for module in modules for value in vars(module).values()))


def _load(name: str) -> ModuleType:
    try:
        return _load_file(Path(name)) if name.endswith(".py") else _load_module(name)
    except Exception as error:
        raise Misconfigured(
            f"TIDINGS_WORKER_LOAD or --load: cannot load {name!r}: {type(error).__name__}: {error}"
        ) from error


def _load_module(name: str) -> ModuleType:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    return importlib.import_module(name)


def _load_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
