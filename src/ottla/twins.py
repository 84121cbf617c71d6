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
        if error.name != module:
            raise
        return None
