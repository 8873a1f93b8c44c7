"""Loads users' handlers: from modules by name, from files by path, and from installed packages' entry points."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tidings.kit.errors import Misconfigured
from tidings.spine.notify.listeners import Listener, distinct, listeners_in
from tidings.spine.outbox.handlers import Handlers, declared_in
from tidings.spine.outbox.outcomes import describe

ENTRY_POINTS = "tidings.handlers"


@dataclass(frozen=True)
class Declared:
    """What users' modules declare."""

    handlers: Handlers
    listeners: tuple[Listener, ...]


def load(names: Iterable[str]) -> Declared:
    """Every handler and listener declared in these modules or files, and in the entry points of installed packages.

    Whatever is named twice, also where it is spelled differently, is loaded once.
    """
    modules = [_named(name) for name in names]
    modules += [
        _loaded(f"entry point {entry.name!r}", entry.load)
        for entry in importlib.metadata.entry_points(group=ENTRY_POINTS)
    ]
    values = [value for module in modules for value in vars(module).values()]
    return Declared(Handlers().including(declared_in(values)), distinct(listeners_in(values)))


def _named(name: str) -> ModuleType:
    source = f"TIDINGS_WORKER_LOAD or --load: cannot load {name!r}"
    return _loaded(source, lambda: _load_file(Path(name)) if name.endswith(".py") else _load_module(name))


def _loaded(source: str, load: Callable[[], ModuleType]) -> ModuleType:
    """Users' own code may fail in any way; whatever it is, it is one line that says where."""
    try:
        return load()
    except Misconfigured as error:
        raise Misconfigured(f"{source}: {error.detail}") from error
    except (Exception, SystemExit) as error:
        raise Misconfigured(f"{source}: {' '.join(describe(error).split())}") from error


def _load_module(name: str) -> ModuleType:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    return importlib.import_module(name)


def _load_file(path: Path) -> ModuleType:
    path = path.resolve()
    if (known := _module_of(path)) is not None:
        return known
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _module_of(path: Path) -> ModuleType | None:
    """The module that was made of this file, by its name or by its path: running it again would declare all twice."""
    files = ((module, getattr(module, "__file__", None)) for module in list(sys.modules.values()))
    return next((module for module, file in files if isinstance(file, str) and Path(file).resolve() == path), None)
