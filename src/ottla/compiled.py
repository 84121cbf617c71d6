"""Which modules the build compiles, and whether they run compiled (ADR 0027).

The build (`setup.py`) and the tests read the list: it is kept in no other place. An entry is a module in Cython's
pure-Python mode (`x.py`, typed by `x.pxd` beside it) or a Cython module (`_x.pyx`). Compiled code lies beside the
source, and Python's import system prefers it; `OTTLA_PURE=1` in the environment keeps all of it out.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Final

#: The largest first: the compilers run in parallel and should finish together.
MODULES: Final = (
    "ottla.records.record_blocks",
    "ottla.records.record_columns",
    "ottla.records.record_writing",
    "ottla.records.record_objects",
    "ottla.records.key_partitions",
    "ottla.records.header_verdict",
    "ottla.model.murmur2",
    "ottla.runtime._system_calls",
)


def is_compiled(module: str) -> bool:
    """Whether an import of `module` gives, or has given, compiled code."""
    from importlib.util import find_spec

    try:
        spec = getattr(sys.modules.get(module), "__spec__", None) or find_spec(module)
    except ModuleNotFoundError:
        return False
    return spec is not None and (spec.origin or "").endswith(tuple(EXTENSION_SUFFIXES))


def compiled_modules() -> list[str]:
    return [module for module in MODULES if is_compiled(module)]


class SourcesOnly:
    """A finder for `sys.meta_path` that loads the modules of this package from their Python sources alone."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in MODULES:
            return None
        for directory in path or ():
            spec = FileFinder(directory, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name, target)
            if spec is not None:
                return spec
        raise ModuleNotFoundError(f"{name} has no Python source", name=name)


def use_sources_only() -> None:
    """From now on imports of this package take no compiled code. What is loaded already stays as it is."""
    if not any(isinstance(finder, SourcesOnly) for finder in sys.meta_path):
        sys.meta_path.insert(0, SourcesOnly())


def avoid_compiled_code() -> None:
    """Where OTTLA_PURE asks for it, or where the sources have changed since they were compiled."""
    if os.environ.get("OTTLA_PURE") or stale_modules():
        use_sources_only()


def stale_modules(root: str = os.path.dirname(os.path.dirname(__file__))) -> list[str]:
    """Whose compiled code is older than its source. `root` is the directory that has the package."""
    return [module for module in MODULES if _is_stale(os.path.join(root, *module.split(".")))]


def _is_stale(path: str) -> bool:
    built = _modified(path + EXTENSION_SUFFIXES[0])
    return built is not None and any((_modified(path + suffix) or 0) > built for suffix in (".py", ".pyx", ".pxd"))


def _modified(path: str) -> float | None:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return None
