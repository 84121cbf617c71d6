"""Which modules the build compiles, and whether they run compiled.

The build (`setup.py`) and the tests read the list: it is kept in no other place. An entry is a module in Cython's
pure-Python mode (`x.py`, typed by `x.pxd` beside it) or a Cython module (`_x.pyx`).
"""

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from typing import Final

#: The largest first: the compilers run in parallel and should finish together.
MODULES: Final = (
    "ottla.runtime._quick_stream",
    "ottla.broker._quick_inbox",
    "ottla.log._quick_append",
    "ottla.records._key_walk",
    "ottla.runtime._system_calls",
)


def is_compiled(module: str) -> bool:
    """Whether an import of `module` gives, or has given, compiled code."""
    spec = getattr(sys.modules.get(module), "__spec__", None) or find_spec(module)
    return spec is not None and (spec.origin or "").endswith(tuple(EXTENSION_SUFFIXES))


def compiled_modules() -> list[str]:
    return [module for module in MODULES if is_compiled(module)]
