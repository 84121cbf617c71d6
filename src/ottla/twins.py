"""Where a compiled twin is chosen over the Python it mirrors.

A few hot functions exist twice: in Python, which is the reference, and in Cython, in a module of the same package whose
name begins with an underscore. Both pass the same tests. Without a compiler, or with OTTLA_PURE
set, Python does it all.
"""

import importlib
import os
from typing import Any

#: Set to anything, it keeps all compiled twins out.
PURE_VARIABLE = "OTTLA_PURE"


def compiled_twin(module: str) -> Any:
    """The compiled module, or None."""
    if os.environ.get(PURE_VARIABLE):
        return None
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if not _is_twin(error.name or ""):
            raise
        # Not built, or one that it calls was not: a platform may lack what some of them need.
        return None


def _is_twin(module: str) -> bool:
    return module.rpartition(".")[2].startswith("_")
