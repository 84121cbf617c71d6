"""The compiled modules as they were imported, and once more from their Python sources."""

import sys
from importlib import import_module
from types import ModuleType

from ottla.compiled import MODULES, SourcesOnly

_NAMES = [name for name in MODULES if not name.rpartition(".")[2].startswith("_")]


def modules_from_source() -> dict[str, ModuleType]:
    """By name. They see each other, and leave what is imported already as it is."""
    imported = {name: import_module(name) for name in _NAMES}
    finder = SourcesOnly()
    sys.meta_path.insert(0, finder)
    try:
        for name in _NAMES:
            del sys.modules[name]
            delattr(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2])
        return {name: import_module(name) for name in _NAMES}
    finally:
        sys.meta_path.remove(finder)
        for name, module in imported.items():
            sys.modules[name] = module
            setattr(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2], module)
