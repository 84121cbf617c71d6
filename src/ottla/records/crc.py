"""CRC-32C, taken straight from the compiled part of the package crc32c.

Importing the package itself also looks up its version and builds a command line: 50 ms and 6 MB, which a broker that
should start in the blink of an eye has no use for. Where the fast path does not work, the long one does.
"""

from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder, PathFinder
from importlib.util import module_from_spec
from typing import Any, Final

from ottla.doors.disk import Buffer

_COMPILED_NAME: Final = "crc32c._crc32c"


def _compiled() -> Any:
    package = PathFinder.find_spec("crc32c")
    if package is None or package.submodule_search_locations is None:
        return None
    for location in package.submodule_search_locations:
        finder = FileFinder(location, (ExtensionFileLoader, EXTENSION_SUFFIXES))
        found = finder.find_spec(_COMPILED_NAME)
        if found is not None and found.loader is not None:
            module = module_from_spec(found)
            found.loader.exec_module(module)
            return module
    return None


def _find() -> Callable[[Buffer], int]:
    try:
        function: Callable[[Buffer], int] = _compiled().crc32c
    except (ImportError, AttributeError):
        from crc32c import crc32c

        function = crc32c
    return function


crc32c: Final = _find()
