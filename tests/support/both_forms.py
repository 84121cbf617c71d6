"""The compiled modules as they were imported, and once more from their Python sources."""

import sys
from importlib import import_module
from types import ModuleType

from ottla.compiled import MODULES, SourcesOnly


def modules_from_source() -> dict[str, ModuleType]:
    """By name. They see each other, and leave what is imported already as it is."""
    imported = {name: sys.modules.pop(name) for name in MODULES if name in sys.modules}
    finder = SourcesOnly()
    sys.meta_path.insert(0, finder)
    try:
        return {name: import_module(name) for name in MODULES if not name.rpartition(".")[2].startswith("_")}
    finally:
        sys.meta_path.remove(finder)
        for name in MODULES:
            sys.modules.pop(name, None)
        for name, module in imported.items():
            sys.modules[name] = module
            package, _, attribute = name.rpartition(".")
            setattr(sys.modules[package], attribute, module)
